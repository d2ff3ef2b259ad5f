"""What a check found."""

from dataclasses import dataclass
from enum import StrEnum


class CheckStatus(StrEnum):
    """Whether a subject was checked, and with what result."""

    OK = "ok"
    PROBLEM = "problem"
    NOT_CHECKED = "not_checked"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One subject, what was found, and of a problem what to do about it."""

    subject: str
    status: CheckStatus
    found: str
    advice: str | None = None

    def record(self) -> dict[str, str | None]:
        """Return it as JSON has it."""
        return {"subject": self.subject, "status": self.status.value, "found": self.found, "advice": self.advice}


def report_ok(subject: str, found: str) -> CheckResult:
    """Return a finding that needs nothing done."""
    return CheckResult(subject, CheckStatus.OK, found)


def report_problem(subject: str, found: str, advice: str) -> CheckResult:
    """Return a finding that needs something done."""
    return CheckResult(subject, CheckStatus.PROBLEM, found, advice)


def report_not_checked(subject: str, reason: str) -> CheckResult:
    """Return a finding that says why there is no answer."""
    return CheckResult(subject, CheckStatus.NOT_CHECKED, f"not checked: {reason}")
