"""A menu that was read from somewhere: its content, validated, and where in its source each part of it stands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from comanda.contracts.validation import error_sentences
from comanda.errors import ValidationFailed
from comanda.menu.imports.schemas import MAX_ITEMS, ImportedCategory, MenuImportBody

MAX_ERRORS: Final = 200


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: the key under which an error about it is told, and its line, if it has one."""

    key: str
    line: int | None = None


Locate = Callable[[str], Place]


@dataclass(slots=True)
class Problems:
    """Everything that is wrong with a menu, by the path of the value, such as ``menu.0.items.3.price``."""

    locate: Locate
    found: dict[str, list[str]] = field(default_factory=dict)

    def add(self, path: str, sentence: str) -> None:
        """Add a problem."""
        known = self.found.setdefault(self.locate(path).key, [])
        if sentence not in known:
            known.append(sentence)

    def check(self) -> None:
        """Raise ``ValidationFailed`` with the first 200 fields that are wrong, if any is."""
        if self.found:
            listed = dict(list(self.found.items())[:MAX_ERRORS])
            raise ValidationFailed(listed, extras={"errors_count": len(self.found)})


@dataclass(frozen=True, slots=True)
class MenuDocument:
    """A menu to import, valid by itself. ``locate`` finds a path of it in its source."""

    categories: Sequence[ImportedCategory]
    locate: Locate
    dry_run: bool = False
    remove_missing: bool = False

    def line(self, path: str) -> int | None:
        """Return the line at which a value stands, or None."""
        return self.locate(path).line


def validate(content: Mapping[str, Any], locate: Locate, problems: Problems | None = None) -> MenuDocument:
    """Validate a menu that was read. Raises ``ValidationFailed`` with all that is wrong, also by ``problems``."""
    problems = problems or Problems(locate)
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
