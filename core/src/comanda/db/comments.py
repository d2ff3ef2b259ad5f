"""Spares Tortoise reading sources for comments that are not there.

Tortoise parses the source of every model for comments that begin with ``#:``, which become descriptions of columns. For
all models of an installation that is a tenth of what a process takes to start, and hardly any model has one.
"""

import sys
from functools import cache
from pathlib import Path

from tortoise import models
from tortoise.models import Model

MARK = "#:"
# Not part of Tortoise's promises: where a version has no such function, nothing is spared.
_read = getattr(models, "_get_comments", None)


def spare_sources() -> None:
    """Let Tortoise parse models from now on only in files that have such a comment somewhere."""
    if _read is not None:
        models._get_comments = _comments


def _comments(cls: type[Model]) -> dict[str, str]:
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    if _read is None or (file is not None and not _has_mark(file)):
        return {}
    found: dict[str, str] = _read(cls)
    return found


@cache
def _has_mark(file: str) -> bool:
    try:
        return MARK in Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return True
