"""A server, fresh databases, and the sample app on the import path."""

import importlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest
from comanda.operations.embedded.server import EmbeddedPostgres

SAMPLE = Path(__file__).parent / "sample"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    # Not pytest's own folder: the account that runs PostgreSQL for root may not enter that.
    folder = Path(tempfile.mkdtemp(prefix="comanda-test-"))
    folder.chmod(0o755)
    with EmbeddedPostgres(folder / "data") as postgres:
        yield postgres.url
    shutil.rmtree(folder)


@pytest.fixture
async def database(server: str, request: pytest.FixtureRequest) -> str:
    """A fresh database; returns its URL."""
    name = f"test_{abs(hash(request.node.nodeid)):x}"
    connection = await asyncpg.connect(server)
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))


@pytest.fixture
def apps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the import path with the sample app; what was imported from it is forgotten at the end."""
    shutil.copytree(SAMPLE, tmp_path / "apps", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.syspath_prepend(tmp_path / "apps")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path / "apps"
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]
    importlib.invalidate_caches()
