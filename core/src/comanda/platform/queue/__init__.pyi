from . import dead_letters as dead_letters
from .leases import QueueState as QueueState
from .leases import measure_queue as measure_queue
