"""Rules for the wheel: it can be built and contains all files of the package."""

import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from comanda.devkit.authoring.environment import find_uv
from comanda.devkit.authoring.findings import Finding
from comanda.devkit.authoring.source import PluginSource

BUILD_SECONDS = 120
IGNORED_FOLDERS = frozenset({"__pycache__"})


def check_wheel(source: PluginSource) -> Iterator[Finding]:
    """Build the wheel from a copy of the folder and check that it contains all files of the package."""
    command = _find_builder()
    manifest = str(source.manifest)
    if command is None:
        sentence = "The wheel was not built: neither uv nor the package build is installed. Run `pip install build`."
        yield Finding(manifest, 1, "unchecked", sentence)
        return
    with tempfile.TemporaryDirectory(prefix="comanda-wheel-") as temporary:
        copy, out = Path(temporary, "source"), Path(temporary, "out")
        ignored = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info", "node_modules")
        shutil.copytree(source.folder, copy, ignore=ignored)
        if problem := _build(command, copy, out):
            yield Finding(manifest, 1, "wheel-builds", f"The wheel cannot be built: {problem}")
            return
        yield from _check_contents(source, manifest, out)


def _find_builder() -> list[str] | None:
    if uv := find_uv():
        return [uv, "build", "--wheel", "--quiet", "--out-dir"]
    if find_spec("build") is not None:
        return [sys.executable, "-m", "build", "--wheel", "--outdir"]
    return None


def _build(command: list[str], folder: Path, out: Path) -> str | None:
    """Build a wheel; return an error message, or None."""
    try:
        finished = subprocess.run(
            [*command, str(out), str(folder)], capture_output=True, text=True, timeout=BUILD_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"it took longer than {BUILD_SECONDS} seconds."
    return " ".join(finished.stderr.split())[-500:] if finished.returncode else None


def _check_contents(source: PluginSource, manifest: str, out: Path) -> Iterator[Finding]:
    built = next(out.glob("*.whl"), None)
    if built is None:
        yield Finding(manifest, 1, "wheel-builds", "The build produced no wheel.")
        return
    with zipfile.ZipFile(built) as archive:
        held = set(archive.namelist())
    for path in sorted(source.root.rglob("*")):
        inside = path.relative_to(source.import_root).as_posix()
        is_left_out = IGNORED_FOLDERS & set(path.parts) or path.name.startswith(".")
        if path.is_file() and not is_left_out and inside not in held:
            yield Finding(str(path), 1, "wheel-contents", f"The wheel does not contain {inside}.")
    if not any(name.endswith(".dist-info/entry_points.txt") for name in held):
        yield Finding(manifest, 1, "wheel-contents", "The wheel has no entry point, so the plugin cannot be found.")
