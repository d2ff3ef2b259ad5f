"""The tool's report on a theme."""

from comanda_themes.api import CheckReport, Severity, check_theme

from comanda_mcp_dev.schemas.themes import FindingOut, Summary, ThemeReport


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
        findings=[
            FindingOut(file=one.file, line=one.line, severity=one.severity, rule=one.rule, message=one.message)
            for one in report.findings
        ],
    )
