"""What of a file is not brought, or not as the file has it: shown before anything is written."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from comanda.menu.imports.schemas import MenuImportWarning
from comanda.menu.schemas import MAX_PICTURES

# Nobody reads more; the number of the others is said.
MAX_NOTES: Final = 500
MAX_LISTED_COLUMNS: Final = 30
# Longer texts are shortened, and that is said.
MAX_NAME: Final = 255
MAX_DESCRIPTION: Final = 2000
URL: Final = re.compile(r"https?://\S{1,990}")
# What is said alike of tables and of JSON.
ONE_CATEGORY: Final = "Only the first one of several categories is taken."
SEVERAL_TAXES: Final = "The tax of an item with several taxes is not taken."


@dataclass(slots=True)
class ImportNotes:
    """Notes about single lines, and about kinds of lines with the first one and their number."""

    lines: list[MenuImportWarning] = field(default_factory=list)
    left_off: int = 0
    kinds: dict[str, tuple[int | None, int]] = field(default_factory=dict)

    def add(self, line: int | None, message: str) -> None:
        """Add a note about one line."""
        if len(self.lines) < MAX_NOTES:
            self.lines.append(MenuImportWarning(line=line, message=message))
        else:
            self.left_off += 1

    def count(self, line: int | None, message: str) -> None:
        """Add a line to a kind."""
        first, number = self.kinds.get(message, (line, 0))
        self.kinds[message] = first, number + 1

    def cut(self, line: int | None, text: str, length: int) -> str:
        """Return a text that is not longer than ``length``, with a note if it was."""
        if len(text) <= length:
            return text
        self.count(line, f"A text with more than {length} characters is shortened.")
        return text[: length - 1] + "…"

    def name_others(self, line: int | None, kind: str, names: Sequence[str]) -> None:
        """Name the columns or fields that are not taken, if there are any."""
        if names:
            more = f" and {len(names) - MAX_LISTED_COLUMNS} more" if len(names) > MAX_LISTED_COLUMNS else ""
            self.count(line, f"These {kind} are not taken: {', '.join(names[:MAX_LISTED_COLUMNS])}{more}.")

    def pick_pictures(self, found: Iterable[tuple[int | None, str, str]]) -> list[dict[str, str]]:
        """Return the pictures of an item that are given by their addresses, from their lines, addresses and texts."""
        pictures: dict[str, dict[str, str]] = {}
        for line, url, alt in found:
            if not URL.fullmatch(url):
                self.count(line, "A picture that is not given by its address is not taken.")
            elif url not in pictures and len(pictures) == MAX_PICTURES:
                self.count(line, f"Only the first {MAX_PICTURES} pictures of an item are taken.")
                break
            else:
                pictures.setdefault(url, {"url": url, "alt": alt} if alt else {"url": url})
        return list(pictures.values())

    def list_all(self) -> list[MenuImportWarning]:
        """Return all notes by line, those about kinds first."""
        kinds = [
            MenuImportWarning(line=line, message=f"{message} ({number} rows)" if number > 1 else message)
            for message, (line, number) in self.kinds.items()
        ]
        notes = [*sorted(kinds, key=lambda note: note.line or 0), *sorted(self.lines, key=lambda note: note.line or 0)]
        if self.left_off:
            notes.append(MenuImportWarning(line=None, message=f"{self.left_off} more lines have such notes."))
        return notes
