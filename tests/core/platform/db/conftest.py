"""Data folders of an embedded PostgreSQL that has been started before."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from comanda.devkit.testing.data_folders import create_data_folder
from comanda.operations.embedded.server import EmbeddedPostgres


@pytest.fixture(scope="session")
def start_before() -> Iterator[Callable[[Path], None]]:
    """Yield a function that fills a data folder as its first start does, which takes several times as long."""
    started = create_data_folder()
    with EmbeddedPostgres(started):
        pass

    def fill(data_dir: Path) -> None:
        # With owners and modes: the cluster belongs to an account of its own if tests run as root.
        subprocess.run(["/bin/cp", "-aT", started, data_dir], check=True)

    yield fill
    shutil.rmtree(started)
