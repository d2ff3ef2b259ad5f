from . import live_updates as live_updates
from .answers import cacheable_answer as cacheable_answer
from .answers import error_answer as error_answer
from .answers import matches_etag as matches_etag
from .answers import to_public_error as to_public_error
from .live_updates import LiveMessage as LiveMessage
from .live_updates import Watch as Watch
from .stored_answers import answer_once as answer_once
