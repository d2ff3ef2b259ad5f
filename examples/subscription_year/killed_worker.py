"""A worker that is killed again and again."""

import signal
import threading

from comanda.devkit.testing import Installation, Program


class Killer:
    """A worker that is killed again and again, and each time followed by another."""

    def __init__(self, installation: Installation, seconds: float) -> None:
        self.kills = 0
        self._installation, self._seconds = installation, seconds
        self._is_over = threading.Event()
        self._is_calm = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def calm_down(self) -> None:
        """Let the next worker live."""
        self._is_calm.set()

    def __enter__(self) -> "Killer":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._is_over.set()
        self._thread.join(60)

    def _run(self) -> None:
        while not self._is_over.is_set():
            with self._installation.working() as worker:
                self._wait(worker)

    def _wait(self, worker: Program) -> None:
        while not self._is_over.wait(self._seconds):
            if not self._is_calm.is_set():
                worker.stop(signal.SIGKILL)
                self.kills += 1
                return
