"""Requests: which texts to list, and texts to save."""

from enum import StrEnum
from typing import Annotated, Final

from comanda.contracts import Body, example
from pydantic import BaseModel, Field

MAX_TEXTS: Final = 500
MAX_TEXT_LENGTH: Final = 2000
MAX_SEARCH_LENGTH: Final = 100

SourceText = Annotated[str, Field(min_length=1, max_length=MAX_TEXT_LENGTH)]


class TextState(StrEnum):
    """Which texts are listed."""

    ALL = "all"
    MISSING = "missing"
    UNCHECKED = "unchecked"


class MenuTextQuery(BaseModel):
    """Filters of a list of texts; ``search`` is a part of either text, in any letter case."""

    state: TextState = TextState.ALL
    search: Annotated[str, Field(max_length=MAX_SEARCH_LENGTH)] = ""


class MenuTextBody(BaseModel):
    """What a text on the menu is in the language: null or an empty translation removes it."""

    source: SourceText
    translation: Annotated[str, Field(max_length=MAX_TEXT_LENGTH)] | None
    is_checked: bool = True


class MenuTextsBody(Body):
    """Texts to save in one language; those that are not named stay as they are."""

    model_config = example({"texts": [{"source": "Tomato soup", "translation": "Tomatensuppe"}]})

    texts: Annotated[list[MenuTextBody], Field(min_length=1, max_length=MAX_TEXTS)]
