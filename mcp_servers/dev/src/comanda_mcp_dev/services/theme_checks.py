"""Checks of themes: one at a time, each in a process of its own."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from comanda.errors import Unavailable

from comanda_mcp_dev.schemas.themes import FindingOut, Summary, ThemeReport
from comanda_mcp_dev.services.item_fields import list_item_fields
from comanda_mcp_dev.services.themes import isolation
from comanda_mcp_dev.services.themes.findings import CheckReport, Severity

# One theme at a time, so that checks leave a processor to orders; further requests are refused.
MAX_WAITING: Final = 4

_executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="theme-check")


@dataclass(slots=True)
class _Queue:
    waiting: int = 0


_queue = _Queue()


async def validate_theme(theme: dict[str, str]) -> ThemeReport:
    """Check a theme in its own process. Raises ``Unavailable`` if too many are waiting, and ``ThemeTooComplex``."""
    if _queue.waiting >= MAX_WAITING:
        raise Unavailable("Other themes are being checked. Try again shortly.", retry_after_seconds=5)
    _queue.waiting += 1
    try:
        loop = asyncio.get_running_loop()
        report = await loop.run_in_executor(_executor, isolation.check_theme, theme, list_item_fields())
    finally:
        _queue.waiting -= 1
    return _to_report(report, len(theme))


def _to_report(report: CheckReport, count: int) -> ThemeReport:
    errors = report.count(Severity.ERROR)
    return ThemeReport(
        summary=Summary(
            is_valid=not errors,
            errors=errors,
            warnings=report.count(Severity.WARNING),
            files=count,
            files_checked=report.checked,
            findings_left_out=report.left_out,
        ),
        findings=[
            FindingOut(file=one.file, line=one.line, severity=one.severity, rule=one.rule, message=one.message)
            for one in report.findings
        ],
    )
