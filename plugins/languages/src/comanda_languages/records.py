"""Records of texts, as services return them."""

from dataclasses import dataclass
from enum import StrEnum


class Use(StrEnum):
    """What a text is the name of, or an item's description."""

    CATEGORY = "category"
    ITEM = "item"
    DESCRIPTION = "description"
    VARIATION = "variation"
    GROUP = "extra_group"
    EXTRA = "extra"


@dataclass(frozen=True, slots=True)
class MenuLanguage:
    """How much of a store's menu there is in a language. ``unchecked`` of the ``translated`` texts are drafts."""

    language: str
    name: str
    texts: int
    translated: int
    unchecked: int


@dataclass(frozen=True, slots=True)
class MenuText:
    """A text on the menu and what it is in a language, null if that is missing.

    ``use`` is where it stands first. One that is not ``is_checked`` was drafted by a program, and nobody has looked.
    """

    source: str
    use: Use
    translation: str | None
    is_checked: bool
