"""Sentences that people read: in English in answers to programs, in their own language on pages."""

from typing import Self


class Sentence(str):
    """A sentence of an error, as pages may translate it: its ``source``, and the ``values`` of the source's parts.

    A value that is a sentence itself is translated, too. To everything else it is the English text. What is written
    ``Sentence("…")`` is found by the tools for translation.
    """

    __slots__ = ("source", "values")

    source: str
    values: dict[str, object]

    def __new__(cls, source: str, **values: object) -> Self:
        made = super().__new__(cls, source % values if values else source)
        made.source, made.values = source, values
        return made
