"""What the checker looks for, and what it finds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final


class Severity(StrEnum):
    """Whether a plugin breaks a promise, or only leaves something to be desired."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Rule:
    """One promise of a plugin's: how grave its breach is, and how to mend it."""

    severity: Severity
    fix: str


_E, _W = Severity.ERROR, Severity.WARNING

RULES: Final[Mapping[str, Rule]] = {
    # The distribution.
    "manifest": Rule(_E, "Write a pyproject.toml with a [project] table; `comanda plugins new` writes one to look at."),
    "entry-point": Rule(_E, 'Name one plugin in [project.entry-points."comanda.plugins"]: kds = "comanda_kds.plugin".'),
    "names-agree": Rule(_E, "Use one name everywhere: entry point kds, package comanda_kds, tables kds_*."),
    "distribution-name": Rule(_W, "Name the distribution for its plugin: comanda-kds."),
    "version": Rule(_E, 'Set version = "0.1.0" in [project], or list it as dynamic.'),
    "readme": Rule(_E, 'Write README.md (hooks, routes, tables, settings) and set readme = "README.md" in [project].'),
    "needs-core": Rule(_E, "List comanda-core among the dependencies."),
    "requires-python": Rule(_W, 'Set requires-python = ">=3.11" in [project].'),
    "typed": Rule(_W, "Add an empty file py.typed to the package, so that others can check their calls."),
    "tests": Rule(_W, "Write tests in tests/, with the fixtures of comanda.devkit.testing."),
    "syntax": Rule(_E, "Correct the file so that Python 3.11 can read it."),
    "wheel-builds": Rule(_E, "Correct the build; `uv build --wheel` shows all of what it says."),
    "wheel-contents": Rule(_E, "Let the wheel hold every file of the package, as uv_build and hatchling do."),
    # plugin.py
    "hooks-only": Rule(_E, "Move it to a module of its own; plugin.py is the plugin's table of contents."),
    "hook-exists": Rule(_E, "Spell the hook as comanda/hookspecs.py does."),
    "hook-marked": Rule(_E, "Put @hookimpl (from comanda import hookimpl) above it."),
    "hook-plain": Rule(_E, "Write a plain function without parameters; what it returns may be async."),
    "hook-docstring": Rule(_E, "Say in a docstring what this plugin contributes here."),
    "module-docstring": Rule(_W, "Begin plugin.py with a docstring that says what the plugin is."),
    # Imports.
    "public-import": Rule(_E, "Use a public module; comanda/authoring/public.py lists them."),
    "private-name": Rule(_E, "Leave names that begin with an underscore to their own package."),
    "plugin-import": Rule(_E, "Import the other plugin's api module, or learn of it through events and hooks."),
    "undeclared-plugin": Rule(_E, "List the other plugin's distribution among the dependencies."),
    "migrations-import": Rule(_E, "Name the migrations package as text in ModelSet; import none."),
    "layers": Rule(_E, "Let routes, tools, tasks and commands call services, and services use models."),
    # What it declares.
    "starts": Rule(_E, "Correct the declaration that the sentence names; Comanda does not start with it."),
    "route-docstring": Rule(_E, "Say in the handler's docstring what the route does, in a sentence."),
    "route-answers": Rule(_E, "State answers=… with the schema of success, or status=204 for a route without a body."),
    "route-parameters": Rule(_E, "Take every parameter of the path in the handler."),
    "event-docstring": Rule(_E, "Say in the event's docstring when it is sent, and when not."),
    "event-sample": Rule(_E, "Give a sample with every field of the event and no other."),
    "event-name": Rule(_E, "Name it in the past tense, such as kds.ticket_bumped, with a scope such as orders:read."),
    "event-personal": Rule(_E, 'Mark it: Annotated[str | None, Personal("orders:read")], or NotPersonal().'),
    "tool-schema": Rule(_E, "Describe arguments and result with plain pydantic models."),
    "setting-description": Rule(_E, "Give every setting Field(description=…), with its unit."),
    "models-place": Rule(_E, "Keep models and migrations inside the plugin's own package."),
    # What it shows.
    "page-base": Rule(_E, 'Begin it with {% extends "comanda/base.html" %}, or the name of a part with "_".'),
    "external-resource": Rule(_E, "Ship the file in the wheel; pages work without a network and allow no other host."),
    # Its tables.
    "migrates": Rule(_E, "Correct the migration; `comanda migrate` would stop there."),
    "table-prefix": Rule(_E, "Begin the names of tables with the plugin's name and an underscore."),
    "table-owner": Rule(_W, "Add owner_id, unless the rows belong to no owner at all."),
    "table-key": Rule(_E, "Declare PRIMARY KEY (id, owner_id)."),
    "table-anchor": Rule(_E, "Let owner_id be part of a foreign key, to core_owner (id) or to a table that has one."),
    "table-reference": Rule(_E, "Write FOREIGN KEY (x_id, owner_id) REFERENCES x (id, owner_id)."),
    "table-time": Rule(_E, "Use timestamptz."),
    "table-money": Rule(_E, "Keep money as an integer of minor units: price_minor bigint."),
    "models-agree": Rule(_E, "Write a migration (`comanda migrations new`) or correct the model."),
    # What its routes answer.
    "route-hides": Rule(_E, "Look rows up by owner_id and id, and raise NotFound where there is none."),
    "route-stands": Rule(_E, "Raise an error of comanda.errors; a bad request must not become a 5xx."),
    # What could not be looked at.
    "unchecked": Rule(_W, "Install what the sentence names and check again."),
}  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A breach of a rule, at a line of a file; the line is 1 where the whole file is meant."""

    path: str
    line: int
    rule: str
    sentence: str

    @property
    def severity(self) -> Severity:
        """How grave it is."""
        return RULES[self.rule].severity

    @property
    def fix(self) -> str:
        """How to mend it."""
        return RULES[self.rule].fix

    def relative_to_folder(self, folder: Path) -> "Finding":
        """The same with a path relative to the plugin's folder, where it lies inside."""
        path = Path(self.path)
        if path.is_relative_to(folder):
            path = path.relative_to(folder)
        return Finding(str(path), self.line, self.rule, self.sentence)

    def record(self) -> dict[str, object]:
        """The finding for programs."""
        return {
            "rule": self.rule,
            "severity": self.severity.value,
            "path": self.path,
            "line": self.line,
            "sentence": self.sentence,
            "fix": self.fix,
        }


def list_errors(found: Iterable[Finding]) -> list[Finding]:
    """Leave out warnings."""
    return [one for one in found if one.severity is Severity.ERROR]
