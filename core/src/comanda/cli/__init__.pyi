from . import session as session
from .options import data_option as data_option
from .options import json_option as json_option
from .session import call as call
