"""A menu parsed from a file: its validated content and the location of each part in the file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from comanda.basics.errors import ValidationFailed
from comanda.contracts.requests.validation import error_sentences
from comanda.contracts.stores.menu_items import Item
from comanda.menu.columns import list_imported, list_shown
from comanda.menu.imports.schemas import (
    MAX_CATEGORIES,
    ImportedCategory,
    ImportedItem,
    MenuImportBody,
    MenuImportWarning,
)

M = TypeVar("M", bound=BaseModel)

NO_SUCH_FIELD: Final = "There is no such field."
MAX_ERRORS: Final = 200
# Validation stops here: nobody corrects more mistakes in one go.
MAX_COUNTED: Final = 1000
MAX_SHOWN_CHARACTERS: Final = 50
MAX_KEY_CHARACTERS: Final = 300
# Keys of the menus that the API returns, which are not imported.
IGNORED_KEYS: Final = frozenset(
    {each.field for each in list_shown(Item)} - {each.field for each in list_imported(Item)}
    | {"variants_count", "is_sold_now", "sold_now_changes_at", "prior_price"}
)


class ProblemLimitExceeded(Exception):
    """More problems than are counted, or one that makes all others pointless."""


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
        """Add a problem. Raises ``ProblemLimitExceeded``."""
        self.add_located(self.locate(path).key, sentence)

    def add_located(self, key: str, sentence: str) -> None:
        """Add a problem by its key, such as ``line.3.price``. Raises ``ProblemLimitExceeded``."""
        known = self.found.setdefault(key[:MAX_KEY_CHARACTERS], [])
        if sentence not in known:
            known.append(sentence)
        if len(self.found) >= MAX_COUNTED:
            raise ProblemLimitExceeded

    @contextmanager
    def checked(self) -> Iterator[None]:
        """Raise ``ValidationFailed`` at the end of the block, or as soon as there are too many problems."""
        try:
            yield
        except ProblemLimitExceeded:
            self.check()
            raise
        self.check()

    def check(self) -> None:
        """Raise ``ValidationFailed`` with the first 200 invalid fields, if there are any."""
        if self.found:
            listed = dict(list(self.found.items())[:MAX_ERRORS])
            raise ValidationFailed(listed, extras={"errors_count": len(self.found)})


@dataclass(frozen=True, slots=True)
class MenuDocument:
    """A menu to import, valid by itself. ``locate`` returns the location of a path.

    ``open_prices`` are the paths of items and variations without a fixed price. ``source`` is the system that wrote the
    file, and ``notes`` say what of it is not brought.
    """

    categories: Sequence[ImportedCategory]
    locate: Locator
    dry_run: bool = False
    remove_missing: bool = False
    open_prices: frozenset[str] = frozenset()
    source: str | None = None
    notes: Sequence[MenuImportWarning] = ()

    def get_line(self, path: str) -> int | None:
        """Return the line of a value, or None."""
        return self.locate(path).line


def shorten(text: str) -> str:
    """Return the beginning of a text of a file, for a sentence."""
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:MAX_SHOWN_CHARACTERS]}…"


def validate_menu(
    content: Mapping[str, Any], locate: Locator, max_items: int, problems: ImportProblems | None = None
) -> MenuDocument:
    """Validate a parsed menu. Raises ``ValidationFailed`` with all problems, including those in ``problems``."""
    validator = _Validator(problems or ImportProblems(locate), max_items)
    with validator.problems.checked():
        body = validator.validate(content)
    if body is None:
        raise RuntimeError("a menu is invalid without a problem")
    return MenuDocument(body.menu, locate, body.dry_run, body.remove_missing)


class _Validator:
    """Validates a menu part by part, so that it can stop when there are too many problems."""

    def __init__(self, problems: ImportProblems, max_items: int) -> None:
        self.problems, self._max_items = problems, max_items

    def validate(self, content: Mapping[str, Any]) -> MenuImportBody | None:
        parts = content.get("menu")
        if not isinstance(parts, list) or len(parts) > MAX_CATEGORIES:
            return self._validate(MenuImportBody, content, "")
        self._check_keys(MenuImportBody, content, "")
        body = self._validate(MenuImportBody, {**content, "menu": []}, "")
        if sum(len(part["items"]) for part in parts if _has_items(part)) > self._max_items:
            add_too_many_items(self.problems, self._max_items)
        categories = [self._validate_category(part, f"menu.{place}") for place, part in enumerate(parts)]
        if body is not None:
            body.menu = [category for category in categories if category is not None]
        return body

    def _validate_category(self, part: Any, path: str) -> ImportedCategory | None:
        if isinstance(part, Mapping):
            self._check_keys(ImportedCategory, part, path)
        if not _has_items(part):
            return self._validate(ImportedCategory, part, path)
        category = self._validate(ImportedCategory, {**part, "items": []}, path)
        found = [
            self._validate(ImportedItem, item, f"{path}.items.{place}") for place, item in enumerate(part["items"])
        ]
        if category is not None:
            category.items = [item for item in found if item is not None]
        return category

    def _validate(self, model: type[M], part: Any, path: str) -> M | None:
        try:
            return model.model_validate(part)
        except ValidationError as error:
            for name, sentences in error_sentences(error).items():
                for sentence in sentences:
                    # The path of a part that is no object at all is empty.
                    self.problems.add(f"{path}.{name}".strip(".") if isinstance(part, Mapping) else path, sentence)
            return None

    def _check_keys(self, model: type[BaseModel], part: Mapping[str, Any], path: str) -> None:
        """Report unknown keys: a menu of another system would lose what stands under them."""
        for key in part:
            if key not in model.model_fields and key not in IGNORED_KEYS:
                self.problems.add(f"{path}.{shorten(key)}".strip("."), NO_SUCH_FIELD)


def add_too_many_items(problems: ImportProblems, max_items: int) -> NoReturn:
    """Add the only problem of a menu that has too many items. Raises ``ProblemLimitExceeded``."""
    problems.add("menu", f"A menu may have at most {max_items:,} items.")
    raise ProblemLimitExceeded


def _has_items(part: Any) -> bool:
    return isinstance(part, Mapping) and isinstance(part.get("items"), list)
