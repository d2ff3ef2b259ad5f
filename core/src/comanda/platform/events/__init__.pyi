from .outbox import CHANNEL as CHANNEL
from .outbox import publish as publish
from .personal_data import hide_personal_data as hide_personal_data
from .personal_data import is_fully_visible as is_fully_visible
