"""Writes a new plugin: a tree of files that installs, passes its tests and keeps the contract at once."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from enum import StrEnum
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from comanda import clock
from comanda.devkit.authoring.names import PluginNames

TEMPLATE_SUFFIX = ".jinja"
MODELS_STATE = re.compile(r"^MODELS_STATE = \(.*?^\)$", re.DOTALL | re.MULTILINE)


class ScaffoldKind(StrEnum):
    """What a new plugin is an example of."""

    VERTICAL = "vertical"
    FEATURE = "feature"
    MCP = "mcp"


SUMMARIES: Mapping[ScaffoldKind, str] = {
    ScaffoldKind.VERTICAL: "The {title} vertical: a store type, what its items tell, how its orders are handed over",
    ScaffoldKind.FEATURE: "{title}: notes on stores that their owners write down and tick off",
    ScaffoldKind.MCP: "{title}: a server for the AI agents of owners",
}
# Tests that open a store need somebody who brings a store type.
TESTS_NEED: Mapping[ScaffoldKind, tuple[str, ...]] = {
    ScaffoldKind.VERTICAL: (),
    ScaffoldKind.FEATURE: ("comanda-restaurant",),
    ScaffoldKind.MCP: ("comanda-restaurant",),
}


class ScaffoldError(Exception):
    """The plugin cannot be written there; the message is a sentence."""


def write_plugin(names: PluginNames, kind: ScaffoldKind, into: Path) -> Path:
    """Write a plugin into a new folder of its name and return that. Raises ``CannotWrite``.

    The folder appears when it is complete, so that a failure leaves nothing behind.
    """
    target = into / names.slug
    if target.exists():
        raise ScaffoldError(f"{target} is there already; choose another name, or another place with --into.")
    try:
        into.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".comanda-", dir=into) as temporary:
            draft = Path(temporary, names.slug)
            _fill(draft, names, kind)
            draft.rename(target)
    except OSError as error:
        raise ScaffoldError(f"{error.filename or target}: {error.strerror}.") from error
    return target


def _fill(draft: Path, names: PluginNames, kind: ScaffoldKind) -> None:
    for path, text in render_files(names, kind):
        place = draft / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    for migration in draft.glob("src/*/migrations/0_*.py"):
        state = _generate_models_state(draft, names)
        migration.write_text(migration.read_text(encoding="utf-8") + state, encoding="utf-8")


def render_files(names: PluginNames, kind: ScaffoldKind) -> Iterator[tuple[str, str]]:
    """Give the path and the text of every file, but for what a migration ends with."""
    # This writes Python, TOML and Markdown, and all that goes in is a name that has been checked.
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True)  # noqa: S701
    values = {
        "name": names.name,
        "package": names.package,
        "slug": names.slug,
        "distribution": names.distribution,
        "title": names.title,
        "summary": SUMMARIES[kind].format(title=names.title),
        "kind": kind.value,
        "tests_need": TESTS_NEED[kind],
        "core_version": version("comanda-core"),
    }
    steps = {"PACKAGE": names.package, "SLUG": names.slug, "STAMP": f"{clock.now():%Y%m%d%H%M%S}"}
    for root in ("common", kind.value):
        for path, template in _list_templates(files("comanda.devkit.authoring") / "templates" / root):
            for word, step in steps.items():
                path = path.replace(word, step)  # noqa: PLW2901 - it becomes the name that it stands for
            yield path.removesuffix(TEMPLATE_SUFFIX), environment.from_string(template).render(values)


def _list_templates(folder: Traversable, before: str = "") -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _list_templates(entry, f"{before}{entry.name}/")
        elif entry.name.endswith(TEMPLATE_SUFFIX):
            yield f"{before}{entry.name}", entry.read_text(encoding="utf-8")


def _generate_models_state(draft: Path, names: PluginNames) -> str:
    """Describe the models as the next migration will want to know them: aerich's word, so aerich is asked."""
    path = os.pathsep.join([str(draft.resolve() / "src"), *(entry for entry in sys.path if entry)])
    with tempfile.TemporaryDirectory() as temporary:
        command = [sys.executable, "-m", "comanda_migrations.generate"]
        command += [names.name, f"{names.package}.models", temporary, "init"]
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        made = subprocess.run(  # noqa: S603 - our own module, with a checked name
            command, env=environment, capture_output=True, text=True, check=False
        )
        written = next(Path(temporary).glob("0_*.py"), None)
        state = MODELS_STATE.search(written.read_text(encoding="utf-8")) if written else None
    if state is None:
        raise ScaffoldError(f"The migration could not be written: {made.stderr.strip()[-500:]}")
    return f"\n{state[0]}\n"
