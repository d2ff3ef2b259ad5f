from . import balance as balance
from . import settlement as settlement
