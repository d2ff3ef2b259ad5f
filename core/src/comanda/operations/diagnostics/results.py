"""Results of checks."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

NOT_CHECKED_PREFIX: Final = "not checked: "


class CheckStatus(StrEnum):
    """The outcome of a check."""

    OK = "ok"
    PROBLEM = "problem"
    NOT_CHECKED = "not_checked"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result for one subject; a problem has advice on how to solve it."""

    subject: str
    status: CheckStatus
    found: str
    advice: str | None = None

    def record(self) -> dict[str, str | None]:
        """Return the result for JSON output."""
        return {"subject": self.subject, "status": self.status.value, "found": self.found, "advice": self.advice}


def report_ok(subject: str, found: str) -> CheckResult:
    """Return a result without a problem."""
    return CheckResult(subject, CheckStatus.OK, found)


def report_problem(subject: str, found: str, advice: str) -> CheckResult:
    return CheckResult(subject, CheckStatus.PROBLEM, found, advice)


def report_not_checked(subject: str, reason: str) -> CheckResult:
    """Return a result that says why a check was not made."""
    return CheckResult(subject, CheckStatus.NOT_CHECKED, f"{NOT_CHECKED_PREFIX}{reason}")
