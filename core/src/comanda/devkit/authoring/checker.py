"""Checks of the source folder of a plugin."""

import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

from comanda.devkit.authoring import blocking_calls, imports, manifest, name_rewrite, pages, plugin_module, shape, wheel
from comanda.devkit.authoring.findings import Finding, list_errors
from comanda.devkit.authoring.source import PluginSource, UnreadableSource, read_source
from comanda.operations.embedded.server import EmbeddedPostgres, EmbeddedPostgresError

PROBE_SECONDS = 300


def check_plugin(folder: Path, *, server: str | None = None, is_static: bool = False) -> list[Finding]:
    """Return all findings, sorted by file.

    ``server`` is the URL of a PostgreSQL server on which databases may be created; by default an embedded server runs
    during the check. With ``is_static`` only files are read and nothing is run.
    """
    folder = folder.resolve()
    try:
        source = read_source(folder)
    except UnreadableSource as problem:
        return [problem.finding.relative_to_folder(folder)]
    found = list(check_files(source))
    if not is_static:
        found += wheel.check_wheel(source)
        # A missing or invalid package has been reported already; loading it would only repeat that.
        if not any(one.rule in {"syntax", "entry-point"} for one in found):
            found += _check_running(source, server)
    return sorted({one.relative_to_folder(folder) for one in found})


def rewrite_plugin(folder: Path) -> list[Path]:
    """Rewrite what moved, and return the files that changed; none of a folder that cannot be read."""
    try:
        return name_rewrite.rewrite_moved_names(read_source(folder.resolve()))
    except UnreadableSource:
        return []


def check_files(source: PluginSource) -> chain[Finding]:
    return chain(
        manifest.check_manifest(source),
        plugin_module.check_plugin_module(source.plugin_module),
        shape.check_shape(source),
        imports.check_imports(source),
        blocking_calls.check_blocking_calls(source),
        pages.check_pages(source),
    )


def _check_running(source: PluginSource, server: str | None) -> list[Finding]:
    with ExitStack() as stack:
        # As root, the embedded server runs under another account, which must have access.
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="comanda-check-")))
        place.chmod(0o755)
        found: list[Finding] = []
        if server is None:
            try:
                server = stack.enter_context(EmbeddedPostgres(place / "data")).url
            except EmbeddedPostgresError as error:
                sentence = f"Tables and answers were not checked, because PostgreSQL could not be started: {error}"
                found = [Finding(str(source.manifest), 1, "unchecked", sentence)]
        return found + run_probe(source, server, place / "result.json")


def run_probe(source: PluginSource, server: str | None, result: Path) -> list[Finding]:
    """Run ``probe`` in a process, which writes its findings to the file ``result``."""
    command = [sys.executable, "-m", "comanda.devkit.authoring.probe", str(source.folder), str(result)]
    places = {"DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL", "REDIS_URL"}
    hidden = {*places, *(f"COMANDA_{place}" for place in places), "COMANDA_DISABLED_PLUGINS"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    module = str(source.plugin_module)
    try:
        finished = subprocess.run(
            command + ([server] if server else []),
            env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return [Finding(module, 1, "starts", f"Checking the plugin took longer than {PROBE_SECONDS} seconds.")]
    if not result.is_file():
        last = (finished.stderr.strip().splitlines() or [f"exit code {finished.returncode}"])[-1]
        return [Finding(module, 1, "starts", f"The process that loaded the plugin ended: {last}")]
    return [Finding(*record) for record in json.loads(result.read_text(encoding="utf-8"))]


__all__ = ["check_files", "check_plugin", "list_errors", "rewrite_plugin"]
