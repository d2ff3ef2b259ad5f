"""The tool's report on a theme."""

from comanda_themes.api import CheckReport, Severity, check_theme

from comanda_mcp_dev.schemas.themes import Summary, ThemeReport


async def validate_theme(theme: dict[str, str]) -> ThemeReport:
    """Check a theme. Raises ``Unavailable`` if too many are waiting, and ``ThemeTooComplex``."""
    return _to_report(await check_theme(theme), len(theme))


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
        findings=list(report.findings),
    )
