"""The lock that keeps a fork from copying another thread's locks.

A thread that does more than wait holds it meanwhile, and so does the code that forks: a lock that another thread has
taken, such as the log's, would never be released in the new process.
"""

import threading
from typing import Final

FORK_LOCK: Final = threading.Lock()
