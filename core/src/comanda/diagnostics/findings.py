"""What a check found."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """Whether a subject was checked, and with what result."""

    OK = "ok"
    PROBLEM = "problem"
    NOT_CHECKED = "not_checked"


@dataclass(frozen=True, slots=True)
class Finding:
    """One subject, what was found, and of a problem what to do about it."""

    subject: str
    status: Status
    found: str
    advice: str | None = None

    def record(self) -> dict[str, str | None]:
        """Return it as JSON has it."""
        return {"subject": self.subject, "status": self.status.value, "found": self.found, "advice": self.advice}


def ok(subject: str, found: str) -> Finding:
    """Return a finding that needs nothing done."""
    return Finding(subject, Status.OK, found)


def problem(subject: str, found: str, advice: str) -> Finding:
    """Return a finding that needs something done."""
    return Finding(subject, Status.PROBLEM, found, advice)


def not_checked(subject: str, reason: str) -> Finding:
    """Return a finding that says why there is no answer."""
    return Finding(subject, Status.NOT_CHECKED, f"not checked: {reason}")
