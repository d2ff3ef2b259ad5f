"""What of a file is not brought, or not as the file has it: shown before anything is written."""

from dataclasses import dataclass, field
from typing import Final

from comanda.menu.imports.schemas import MenuImportWarning

# Nobody reads more; the number of the others is said.
MAX_NOTES: Final = 500
MAX_LISTED_COLUMNS: Final = 30
# Longer texts are shortened, and that is said.
MAX_NAME: Final = 255
MAX_DESCRIPTION: Final = 2000


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
