"""Plugins as the scaffold writes them: one of each kind, whole, and a copy that a test may break."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from comanda.devkit.authoring import checker, moved_names, names, scaffold
from comanda.devkit.authoring.checker import check_plugin
from comanda.devkit.authoring.source import read_source
from comanda.devkit.testing.forked_processes import ForkedProcess

ROOT = Path(__file__).parents[4]
MOVED_MODULES = {
    "comanda.old.bells": "comanda.platform.tasks.notifier",
    "comanda.old.live": "comanda.devkit.testing.live",
    "comanda.old.plugin": "comanda.devkit.testing.plugin",
    "comanda.old.reading": "comanda.orders.queries",
    "comanda.old.routes": "comanda.contracts.requests.routes",
    "comanda.old.wire": "comanda.contracts.requests.fields",
}
MOVED_NAMES = {
    "comanda.basics.money.exponent": "comanda.basics.money.get_exponent",
    "comanda.basics.money.half_up": "comanda.basics.money.round_half_up",
    "comanda.old.bells.ring": "comanda.platform.tasks.notifier.notify",
    "comanda.old.live.SECONDS": "comanda.devkit.testing.polling.MAX_WAIT_SECONDS",
    "comanda.old.live.send": "comanda.devkit.testing.live.send_request",
    "comanda.old.reading.page_of_orders": "comanda.orders.queries.list_orders",
    "comanda.old.types.Drain": "comanda.contracts.background.queues.LeasedQueue",
    "comanda.orders.records.order_record": "comanda.orders.order_json.to_order_json",
    "comanda.orders.stock.move": "comanda.orders.stock.move_stock",
    "comanda.basics.phones.normalise": "comanda.basics.phones.normalize_phone",
}
REDESIGNED = {"comanda.old.reading.page_of_orders", "comanda.old.types.Drain"}
RUN_MODULE = "import runpy, sys; runpy.run_module(sys.argv.pop(1), run_name='__main__')"


@pytest.fixture(autouse=True)
def forked_probes(monkeypatch):
    """Fork the process that loads a plugin, which spends most of its time on importing core and other plugins."""
    monkeypatch.setattr(
        checker, "subprocess", SimpleNamespace(run=run_forked, TimeoutExpired=subprocess.TimeoutExpired)
    )


def run_forked(command, *, env, timeout, **_):
    """Run a module as ``subprocess.run`` does."""
    python, option, *arguments = command
    assert option == "-m"
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = ForkedProcess([python, "-c", RUN_MODULE, *arguments], env, stdout=output, stderr=errors)
        try:
            code = process.wait(timeout)
        finally:
            process.kill()
        errors.seek(0)
        return subprocess.CompletedProcess(command, code, stderr=errors.read())


@pytest.fixture
def moved(monkeypatch):
    """Let names have moved as between releases."""
    for old, new in MOVED_MODULES.items():
        monkeypatch.setitem(moved_names.MOVED_MODULES, old, new)
    for old, new in MOVED_NAMES.items():
        monkeypatch.setitem(moved_names.MOVED_NAMES, old, new)
    moved_names.REDESIGNED.update(REDESIGNED)
    yield
    moved_names.REDESIGNED.clear()


@pytest.fixture(scope="session")
def uv():
    """The installer, as the Makefile fetches it, for whoever runs these tests without it."""
    found = os.environ.get("UV") or shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")
    assert Path(found).exists(), "uv is not here; `make sync` fetches it into .uv/"
    return found


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """The folder of each kind's plugin, as written; not to be changed."""
    into = tmp_path_factory.mktemp("written")
    return {
        kind: scaffold.write_plugin(names.create_names(f"my_{kind}", ()), kind, into) for kind in scaffold.ScaffoldKind
    }


@pytest.fixture
def feature(written, tmp_path):
    """A copy of the feature plugin, and a function that edits its files."""
    return Tree(shutil.copytree(written[scaffold.ScaffoldKind.FEATURE], tmp_path / "my-feature"))


class Tree:
    def __init__(self, folder):
        self.folder = folder
        self.package = folder / "src" / "comanda_my_feature"

    def file(self, path):
        return next(found for found in (self.folder / path, self.package / path) if found.exists())

    def edit(self, path, old, new):
        file = self.file(path)
        text = file.read_text()
        assert old in text, f"{path} has no {old!r}"
        file.write_text(text.replace(old, new))

    def add(self, path, text):
        (self.package / path).parent.mkdir(parents=True, exist_ok=True)
        (self.package / path).write_text(text)

    def line(self, path, text):
        lines = self.file(path).read_text().splitlines()
        return next(number for number, line in enumerate(lines, 1) if text in line)

    def static(self):
        """What is found without running anything: ``(rule, path, line)``."""
        return [(one.rule, one.path, one.line) for one in check_plugin(self.folder, is_static=True)]

    def probe(self, server=None):
        """Return the findings of the loaded plugin, without the wheel, and without tables if there is no server."""
        found = checker.run_probe(read_source(self.folder), server, self.folder.parent / "result.json")
        return [one.relative_to_folder(self.folder) for one in found]
