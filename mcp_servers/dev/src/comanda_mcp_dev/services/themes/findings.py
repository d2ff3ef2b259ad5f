"""What is wrong with a theme: one sentence each, with its place and its rule."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MAX_FINDINGS: Final = 500


class Severity(StrEnum):
    """An error keeps a theme from working, or somebody from using it; a warning ought to be looked at."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class ThemeFinding:
    """Something that is wrong. ``line`` counts from 1, and is 1 for what concerns a whole file."""

    file: str
    line: int
    severity: Severity
    rule: str
    message: str


class ThemeFile:
    """A file of the theme, which tells in which line a place is."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        self._starts = [0, *(place + 1 for place, mark in enumerate(text) if mark == "\n")]

    def line(self, place: int) -> int:
        """Tell the line of a place."""
        return bisect_right(self._starts, max(0, min(place, len(self.text))))


class FindingCollector:
    """Collects findings, each once, and no more than anyone reads."""

    def __init__(self) -> None:
        self._found: dict[ThemeFinding, None] = {}
        self.left_out = 0

    def __iter__(self) -> Iterator[ThemeFinding]:
        return iter(sorted(self._found, key=lambda one: (one.file, one.line, one.rule, one.message)))

    @property
    def is_full(self) -> bool:
        """Tell whether there are as many as anyone reads."""
        return self.left_out > 0

    def add(self, file: ThemeFile | str, place: int, rule: str, message: str, *, is_warning: bool = False) -> None:
        """Note a finding at a place of a file, or about a whole file that may be missing."""
        path, line = (file, 1) if isinstance(file, str) else (file.path, file.line(place))
        finding = ThemeFinding(path, line, Severity.WARNING if is_warning else Severity.ERROR, rule, message)
        if finding in self._found:
            return
        if len(self._found) >= MAX_FINDINGS:
            self.left_out += 1
        else:
            self._found[finding] = None


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check found; ``left_out`` findings are more than anyone would read."""

    findings: tuple[ThemeFinding, ...]
    left_out: int
    checked: int

    def count(self, severity: Severity) -> int:
        """Count the findings of a severity."""
        return sum(finding.severity is severity for finding in self.findings)
