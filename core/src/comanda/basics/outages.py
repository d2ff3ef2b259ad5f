"""Logging of outages: one line when a dependency becomes unavailable and one when it is back."""

import time

import structlog

log = structlog.get_logger(__name__)


class Outage:
    """The availability of one dependency as one of its users sees it; each outage is logged once.

    ``name`` begins the names of both lines: ``tasks_redis`` gives ``tasks_redis_unavailable`` and
    ``tasks_redis_available``. ``meanwhile`` tells operators what happens during the outage.
    """

    def __init__(self, name: str, meanwhile: str) -> None:
        self._name = name
        self._meanwhile = meanwhile
        self._began: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether there was a failure without a success since."""
        return self._began is not None

    def begin(self, error: BaseException) -> None:
        """Log the first failure of an outage; later ones are not logged."""
        if self._began is None:
            self._began = time.monotonic()
            log.warning(f"{self._name}_unavailable", error=str(error) or repr(error), meanwhile=self._meanwhile)

    def end(self) -> None:
        """Log the end of an outage, if there is one."""
        if self._began is not None:
            seconds, self._began = time.monotonic() - self._began, None
            log.warning(f"{self._name}_available", after_seconds=round(seconds, 1))
