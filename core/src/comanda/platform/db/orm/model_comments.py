"""Faster startup: Tortoise parses no model sources in which there are no comments for columns.

Tortoise parses the source of every model for comments that begin with ``#:``, which become descriptions of columns.
Hardly any model has one, yet parsing all of them takes 5 % of the time, and 6 % of the processor time, of
``comanda plugins`` with every plugin of the repository (medians of 5 runs, Python 3.11: 1.73 s instead of 1.64 s).
"""

import sys
from functools import cache
from pathlib import Path

from tortoise import models
from tortoise.models import Model

COMMENT_MARKER = "#:"
# A private function of Tortoise: in a version without it, nothing is changed.
_tortoise_get_comments = getattr(models, "_get_comments", None)


def skip_comment_parsing() -> None:
    """Make Tortoise parse only the model files that contain a comment for a column."""
    if _tortoise_get_comments is not None:
        models._get_comments = _get_comments


def _get_comments(cls: type[Model]) -> dict[str, str]:
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    if _tortoise_get_comments is None or (file is not None and not _has_marker(file)):
        return {}
    found: dict[str, str] = _tortoise_get_comments(cls)
    return found


@cache
def _has_marker(file: str) -> bool:
    try:
        return COMMENT_MARKER in Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return True
