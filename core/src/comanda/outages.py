"""One log line when something that this process stands on goes away, and one when it is back."""

import time

import structlog

log = structlog.get_logger(__name__)


class Outage:
    """Whether one outside system is away, as one user of it sees; the log says so once, however often it fails.

    ``name`` begins the names of both lines: ``tasks_redis`` gives ``tasks_redis_unavailable`` and
    ``tasks_redis_available``. ``meanwhile`` tells the operator what happens while it lasts.
    """

    def __init__(self, name: str, meanwhile: str) -> None:
        self._name = name
        self._meanwhile = meanwhile
        self._began: float | None = None

    @property
    def is_open(self) -> bool:
        """True from the first failure to the next success."""
        return self._began is not None

    def begin(self, error: BaseException) -> None:
        """Log the first failure of an outage; the following ones are the same news."""
        if self._began is None:
            self._began = time.monotonic()
            log.warning(f"{self._name}_unavailable", error=str(error) or repr(error), meanwhile=self._meanwhile)

    def end(self) -> None:
        """Log the end of an outage, if there is one."""
        if self._began is not None:
            seconds, self._began = time.monotonic() - self._began, None
            log.warning(f"{self._name}_available", after_seconds=round(seconds, 1))
