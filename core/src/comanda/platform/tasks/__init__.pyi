from . import notifier as notifier
from .notifier import notify as notify
