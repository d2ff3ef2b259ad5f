"""Paths of themes."""

from comanda_themes.services.checks.validation import validate_theme


def test_missing_required_files_are_findings():
    report = validate_theme({"assets/theme.css": ""})

    assert [(found.file, found.rule) for found in report.findings] == [
        ("layout/theme.liquid", "required_file"),
        ("templates/index.liquid", "required_file"),
        ("templates/menu.liquid", "required_file"),
    ]
