"""The rules of the checker, and findings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final


class Severity(StrEnum):
    """The severity of a finding."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its severity and how to fix a violation."""

    severity: Severity
    fix: str


_E, _W = Severity.ERROR, Severity.WARNING

RULES: Final[Mapping[str, Rule]] = {
    # The distribution.
    "manifest": Rule(_E, "Write a pyproject.toml with a [project] table; `comanda plugins new` creates an example."),
    "entry-point": Rule(_E, 'Set one plugin in [project.entry-points."comanda.plugins"]: kds = "comanda_kds.plugin".'),
    "names-agree": Rule(_E, "Use one name everywhere: entry point kds, package comanda_kds, tables kds_*."),
    "distribution-name": Rule(_W, "Name the distribution after its plugin: comanda-kds."),
    "version": Rule(_E, 'Set version = "0.1.0" in [project], or list it as dynamic.'),
    "readme": Rule(_E, 'Write README.md (hooks, routes, tables, settings) and set readme = "README.md" in [project].'),
    "needs-core": Rule(_E, "Add comanda-core to the dependencies."),
    "requires-python": Rule(_W, 'Set requires-python = ">=3.11" in [project].'),
    "typed": Rule(_W, "Add an empty file py.typed to the package, so that type checkers use its annotations."),
    "tests": Rule(_W, "Write tests in tests/ with the fixtures of comanda.devkit.testing."),
    "syntax": Rule(_E, "Fix the syntax for Python 3.11."),
    "wheel-builds": Rule(_E, "Fix the build; `uv build --wheel` shows its full output."),
    "wheel-contents": Rule(_E, "Include all files of the package in the wheel, as uv_build and hatchling do."),
    # Modules.
    "package-shape": Rule(_W, "Name it after its role, or move it into the folder of one, such as services/."),
    # plugin.py
    "hooks-only": Rule(_E, "Move it to another module; plugin.py only implements hooks."),
    "hook-exists": Rule(_E, 'Use the name of a hook; the table in "How plugins work" of the guide lists them.'),
    "hook-marked": Rule(_E, "Put @hookimpl (from comanda import hookimpl) above it."),
    "hook-plain": Rule(_E, "Write a plain function without parameters; the objects it returns may have async methods."),
    "module-docstring": Rule(_W, "Start plugin.py with a docstring that says what the plugin does."),
    # Imports.
    "moved-name": Rule(_E, "Use the new name; `comanda plugins check --fix` writes it."),
    "redesigned-name": Rule(_E, 'Write anew what uses it; docs/upgrading.md says how.'),
    "public-import": Rule(_E, 'Import what a public package exports; `comanda plugins check --fix` does if one does.'),
    "private-name": Rule(_E, "Do not import names with a leading underscore from other packages."),
    "plugin-import": Rule(_E, "Import the api module of the other plugin, or use events and hooks."),
    "undeclared-plugin": Rule(_E, "Add the distribution of the other plugin to the dependencies."),
    "migrations-import": Rule(_E, "Give ModelSet the name of the migrations package as a string; do not import it."),
    "layers": Rule(_E, "Routes, tools, tasks and commands call services; services use models."),
    # Calls.
    "blocking-call": Rule(_E, "Await an asynchronous call, or asyncio.to_thread; an order waits for nothing."),
    # Declarations.
    "starts": Rule(_E, "Fix the declaration in the message; Comanda does not start with it."),
    "route-docstring": Rule(_E, "Describe the route in the docstring of the handler, in a sentence."),
    "route-answers": Rule(_E, "Set answers=… to the schema of the answer, or status=204 for a route without a body."),
    "route-parameters": Rule(_E, "Add all path parameters to the handler."),
    "event-docstring": Rule(_E, "Describe in the docstring when the event is sent, and when not."),
    "event-sample": Rule(_E, "Set a sample with exactly the fields of the event."),
    "event-amount": Rule(_E, "Send amounts as decimal strings, with all decimals: Money(…).to_decimal_string()."),
    "event-name": Rule(_E, "Name it in the past tense, such as kds.ticket_bumped, with a scope such as orders:read."),
    "event-personal": Rule(_E, 'Mark it: Annotated[str | None, Personal("orders:read")], or NotPersonal().'),
    "tool-schema": Rule(_E, "Use simple pydantic models for arguments and result."),
    "setting-description": Rule(_E, "Add Field(description=…) with the unit to every setting."),
    "models-place": Rule(_E, "Move models and migrations into the package of the plugin."),
    # Pages.
    "page-redesign": Rule(_E, "Use the folder templates/NAME of the plugin; panels and themes add to other pages."),
    "page-base": Rule(_E, 'Start with {% extends "comanda/base.html" %}; names of partial templates start with "_".'),
    "external-resource": Rule(_E, "Include the file in the wheel; pages must not load anything from other hosts."),
    # Tables.
    "migrates": Rule(_E, "Fix the migration; `comanda migrate` would fail."),
    "table-prefix": Rule(_E, "Prefix table names with the name of the plugin and an underscore."),
    "table-owner": Rule(_W, "Add owner_id, unless the rows do not belong to an owner."),
    "table-key": Rule(_E, "Declare PRIMARY KEY (id, owner_id)."),
    "table-anchor": Rule(_E, "Make owner_id part of a foreign key to core_owner (id), or to a table that has one."),
    "table-reference": Rule(_E, "Write FOREIGN KEY (x_id, owner_id) REFERENCES x (id, owner_id)."),
    "table-on-delete": Rule(_E, "Add ON DELETE CASCADE, SET NULL or RESTRICT to foreign keys to core's tables."),
    "table-time": Rule(_E, "Use timestamptz."),
    "table-money": Rule(_E, "Store money as an integer of minor units: price_minor bigint."),
    "models-agree": Rule(_E, "Write a migration (`comanda migrations new`) or fix the model."),
    # Answers.
    "route-hides": Rule(_E, "Look up rows by owner_id and id, and raise NotFound if there is none."),
    "route-stands": Rule(_E, "Raise an error of comanda.basics.errors; an invalid request must not cause a 5xx."),
    # Skipped checks.
    "unchecked": Rule(_W, "Install what the message names and check again."),
}  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A violation of a rule at a line of a file; line 1 may stand for the whole file."""

    path: str
    line: int
    rule: str
    sentence: str

    @property
    def severity(self) -> Severity:
        """The severity of the rule."""
        return RULES[self.rule].severity

    @property
    def fix(self) -> str:
        """How to fix it."""
        return RULES[self.rule].fix

    def relative_to_folder(self, folder: Path) -> "Finding":
        """Return the finding with its path relative to the plugin's folder if it is inside."""
        path = Path(self.path)
        if path.is_relative_to(folder):
            path = path.relative_to(folder)
        return Finding(str(path), self.line, self.rule, self.sentence)

    def record(self) -> dict[str, object]:
        """Return the finding for JSON output."""
        return {
            "rule": self.rule,
            "severity": self.severity.value,
            "path": self.path,
            "line": self.line,
            "sentence": self.sentence,
            "fix": self.fix,
        }


def list_errors(found: Iterable[Finding]) -> list[Finding]:
    return [one for one in found if one.severity is Severity.ERROR]
