"""A menu parsed from a file: its validated content and the location of each part in the file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from comanda.contracts.validation import error_sentences
from comanda.errors import ValidationFailed
from comanda.menu.imports.schemas import MAX_ITEMS, ImportedCategory, MenuImportBody

MAX_ERRORS: Final = 200


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """The location of a value: the key for errors about it, and its line if it has one."""

    key: str
    line: int | None = None


Locator = Callable[[str], SourceLocation]


@dataclass(slots=True)
class ImportProblems:
    """The problems found in a menu, by the path of the value, such as ``menu.0.items.3.price``."""

    locate: Locator
    found: dict[str, list[str]] = field(default_factory=dict)

    def add(self, path: str, sentence: str) -> None:
        """Add a problem."""
        known = self.found.setdefault(self.locate(path).key, [])
        if sentence not in known:
            known.append(sentence)

    def check(self) -> None:
        """Raise ``ValidationFailed`` with the first 200 invalid fields, if there are any."""
        if self.found:
            listed = dict(list(self.found.items())[:MAX_ERRORS])
            raise ValidationFailed(listed, extras={"errors_count": len(self.found)})


@dataclass(frozen=True, slots=True)
class MenuDocument:
    """A menu to import, valid by itself. ``locate`` returns the location of a path."""

    categories: Sequence[ImportedCategory]
    locate: Locator
    dry_run: bool = False
    remove_missing: bool = False

    def get_line(self, path: str) -> int | None:
        """Return the line of a value, or None."""
        return self.locate(path).line


def validate_menu(content: Mapping[str, Any], locate: Locator, problems: ImportProblems | None = None) -> MenuDocument:
    """Validate a parsed menu. Raises ``ValidationFailed`` with all problems, including those in ``problems``."""
    problems = problems or ImportProblems(locate)
    try:
        body = MenuImportBody.model_validate(content)
    except ValidationError as error:
        for path, found in error_sentences(error).items():
            for sentence in found:
                problems.add(path, sentence)
        problems.check()
        raise
    if sum(len(category.items) for category in body.menu) > MAX_ITEMS:
        problems.add("menu", f"A menu may have at most {MAX_ITEMS} items.")
    problems.check()
    return MenuDocument(body.menu, locate, body.dry_run, body.remove_missing)
