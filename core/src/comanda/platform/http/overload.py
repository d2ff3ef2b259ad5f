"""Load shedding: a request that could not be served in time is answered with 503 at once, before its body is read."""

import math
import time
from collections.abc import Callable
from typing import Final

import structlog

from comanda.basics.errors import Unavailable
from comanda.platform.db.connections.pool import get_expected_wait_seconds
from comanda.platform.observability import REQUESTS_SHED

log = structlog.get_logger(__name__)

# A request that would wait longer than this for a database connection is not begun.
MAX_WAIT_SECONDS: Final = 2.0
MAX_RETRY_AFTER_SECONDS: Final = 30
# An estimate is good for this long. Under overload thousands of requests a second ask for one.
ESTIMATE_SECONDS: Final = 0.01
LOG_SECONDS: Final = 10.0
# Rejecting these would take a process out of service that works as fast as it can.
URGENT_PATHS: Final = frozenset({"/healthz", "/readyz", "/metrics"})


class LoadShedder:
    """Decides which requests are begun; what was begun is finished."""

    def __init__(
        self, expected_wait: Callable[[], float] = get_expected_wait_seconds, max_wait_seconds: float = MAX_WAIT_SECONDS
    ) -> None:
        self._expected_wait = expected_wait
        self._max_wait_seconds = max_wait_seconds
        self._wait_seconds = self._estimated_until = self._logs_from = 0.0

    @property
    def is_overloaded(self) -> bool:
        """Whether a request that needs the database could not be served in time."""
        return self._estimate_wait() > self._max_wait_seconds

    def find_refusal(self, path: str) -> Unavailable | None:
        """Return the error to answer a request for ``path`` with, or None to serve it."""
        retry_after = self.find_retry_after(path)
        return None if retry_after is None else create_overload_error(retry_after)

    def find_retry_after(self, path: str) -> int | None:
        """Return in how many seconds a request for ``path``, which is refused, may be tried again; None to serve it."""
        if path in URGENT_PATHS:
            return None
        wait_seconds = self._estimate_wait()
        if wait_seconds <= self._max_wait_seconds:
            return None
        REQUESTS_SHED.inc()
        now = time.monotonic()
        if now >= self._logs_from:
            self._logs_from = now + LOG_SECONDS
            log.warning("requests_shed", expected_wait_seconds=round(wait_seconds, 1))
        return min(math.ceil(wait_seconds), MAX_RETRY_AFTER_SECONDS)

    def _estimate_wait(self) -> float:
        now = time.monotonic()
        if now >= self._estimated_until:
            self._wait_seconds = self._expected_wait()
            self._estimated_until = now + ESTIMATE_SECONDS
        return self._wait_seconds


def create_overload_error(retry_after_seconds: int) -> Unavailable:
    """Return the error of a request that is refused because too many wait."""
    return Unavailable("The server is overloaded. Try again shortly.", retry_after_seconds=retry_after_seconds)
