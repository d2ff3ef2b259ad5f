"""Findings of a theme check: a sentence with its position and rule."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MAX_FINDINGS: Final = 500


class Severity(StrEnum):
    """An error breaks a theme or excludes some of its users; a warning should be looked at."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class ThemeFinding:
    """A problem. ``line`` counts from 1 and is 1 for problems of a whole file."""

    file: str
    line: int
    severity: Severity
    rule: str
    message: str


class ThemeFile:
    """A file of the theme that maps positions to lines."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        self._starts = [0, *(place + 1 for place, mark in enumerate(text) if mark == "\n")]

    def line(self, place: int) -> int:
        """Return the line of a position."""
        return bisect_right(self._starts, max(0, min(place, len(self.text))))


class FindingCollector:
    """Collects distinct findings up to a limit."""

    def __init__(self) -> None:
        self._found: dict[ThemeFinding, None] = {}
        self.left_out = 0

    def __iter__(self) -> Iterator[ThemeFinding]:
        return iter(sorted(self._found, key=lambda one: (one.file, one.line, one.rule, one.message)))

    @property
    def is_full(self) -> bool:
        """Whether the limit is reached."""
        return self.left_out > 0

    def add(self, file: ThemeFile | str, place: int, rule: str, message: str, *, is_warning: bool = False) -> None:
        """Add a finding at a position of a file, or for a whole file, which may be missing."""
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
    """The findings of a check; ``left_out`` counts those beyond the limit."""

    findings: tuple[ThemeFinding, ...]
    left_out: int
    checked: int

    def count(self, severity: Severity) -> int:
        """Count the findings of a severity."""
        return sum(finding.severity is severity for finding in self.findings)
