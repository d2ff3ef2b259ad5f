"""Theme checks in a process of their own, which is killed if it takes too long.

Untrusted input is parsed there by libraries with unknown worst cases: neither a regular expression nor a
recursion of theirs can block the processes that take orders.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Collection, Mapping
from typing import Final

from comanda.contracts import ToolRefused

from comanda_themes.services.checks.worker import OUT_OF_MEMORY
from comanda_themes.services.liquid.findings import CheckReport, Severity, ThemeFinding
from comanda_themes.services.liquid.limits import MAX_WALL_SECONDS

COMMAND: Final = (sys.executable, "-m", "comanda_themes.services.checks.worker")
# None of them is a secret of the installation.
PASSED_VARIABLES: Final = ("PATH", "PYTHONPATH", "LANG", "LC_ALL")
# Exit codes of a process that exceeded its limits or whose C code ran out of stack or memory.
KILLED_EXIT_CODES: Final = frozenset(
    {OUT_OF_MEMORY, -signal.SIGXCPU, -signal.SIGKILL, -signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS}
)


class ThemeTooComplex(ToolRefused):
    """A theme whose check exceeds the time or memory limit."""

    def __init__(self) -> None:
        super().__init__(
            "This theme takes too long to check. Check its files in smaller parts to find the one that does.",
            "theme_too_complex",
        )


def check_theme(files: Mapping[str, str], item_fields: Collection[str]) -> CheckReport:
    """Return the report of a theme check; blocks until it is done. Raises ``ThemeTooComplex``."""
    theme = json.dumps({"files": dict(files), "item_fields": sorted(item_fields)})
    environment = {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ}
    try:
        done = subprocess.run(
            COMMAND, input=theme.encode(), capture_output=True, timeout=MAX_WALL_SECONDS, env=environment, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise ThemeTooComplex from error
    if done.returncode in KILLED_EXIT_CODES:
        raise ThemeTooComplex
    if done.returncode != 0:
        raise RuntimeError(f"a theme could not be checked: {done.stderr.decode(errors='replace')[-2000:]}")
    report = json.loads(done.stdout)
    findings = tuple(ThemeFinding(**{**one, "severity": Severity(one["severity"])}) for one in report["findings"])
    return CheckReport(findings, report["left_out"], report["checked"])
