"""The limit of findings."""

from comanda_themes.services.checks.validation import validate_theme

from ...conftest import TEMPLATE


def test_findings_beyond_the_limit_are_counted():
    text = "\n".join(["<img>"] * 700)

    report = validate_theme({TEMPLATE: text})

    assert len(report.findings) == 500
    assert report.left_out == 202
