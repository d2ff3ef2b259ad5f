"""Uploaded themes: unpacked, checked, and refused with findings if they have errors."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from comanda.basics import ValidationFailed
from comanda.contracts import ToolRefused

from comanda_themes.services.archives import check_sizes, read_archive
from comanda_themes.services.checks.paths import is_known
from comanda_themes.services.liquid.findings import CheckReport, Severity, ThemeFinding
from comanda_themes.services.settings_data import SettingsData, list_problems, parse_settings_data
from comanda_themes.services.theme_checks import check_theme
from comanda_themes.services.theme_files import SETTINGS_DATA, TEXT_SUFFIXES
from comanda_themes.settings import get_settings

# What a person reads of one theme; the rest appears once these are corrected.
MAX_SENTENCES: Final = 100


@dataclass(frozen=True, slots=True)
class CheckedTheme:
    """The files of a theme without errors, and the warnings of its check."""

    contents: Mapping[str, bytes]
    warnings: Sequence[ThemeFinding]


async def check_upload(raw: bytes) -> CheckedTheme:
    """Return the theme in an archive.

    Raises ``ValidationFailed`` for an archive that cannot be accepted, and with ``findings`` for a theme with errors;
    ``Unavailable`` while too many themes are being checked.
    """
    contents = await asyncio.to_thread(read_archive, raw)
    check_sizes(contents)
    texts, unreadable = _decode(contents)
    try:
        report = await check_theme(texts)
    except ToolRefused as error:
        raise ValidationFailed(archive=[str(error)]) from error
    findings = [*unreadable, *_check_assets(contents), *report.findings]
    if any(finding.severity is Severity.ERROR for finding in findings):
        raise refuse_theme(findings, report)
    warnings = [*findings, *list_warnings(contents)]
    return CheckedTheme(contents, tuple(warnings))


def list_warnings(contents: Mapping[str, bytes]) -> tuple[ThemeFinding, ...]:
    """Return what a theme may have and will not do: values that do not fit, and scripts that do not run."""
    found = []
    if not get_settings().allow_scripts:
        message = "Scripts of uploaded themes do not run on this installation."
        scripts = sorted(path for path in contents if path.endswith(".js"))
        found += [ThemeFinding(path, 1, Severity.WARNING, "script_blocked", message) for path in scripts]
    texts, _ = _decode(contents)
    data = parse_settings_data(texts.get(SETTINGS_DATA, "{}"))
    problems = list_problems(data, texts) if isinstance(data, SettingsData) else data
    for path, sentences in problems.items():
        found.append(
            ThemeFinding(SETTINGS_DATA, 1, Severity.WARNING, "settings_data", f"{path}: {' '.join(sentences)}")
        )
    return tuple(found)


def refuse_theme(findings: Sequence[ThemeFinding], report: CheckReport) -> ValidationFailed:
    """Return the error of a theme with errors: each as ``file:line``, and all findings in ``findings``."""
    errors: dict[str, list[str]] = {}
    for finding in findings:
        if finding.severity is Severity.ERROR and len(errors) < MAX_SENTENCES:
            errors.setdefault(f"{finding.file}:{finding.line}", []).append(f"{finding.message} ({finding.rule})")
    extras = {
        "reason": "theme_errors",
        "findings": [asdict(finding) for finding in findings],
        "findings_left_out": report.left_out,
    }
    return ValidationFailed(errors, extras=extras)


def _decode(contents: Mapping[str, bytes]) -> tuple[dict[str, str], list[ThemeFinding]]:
    texts, unreadable = {}, []
    for path, content in contents.items():
        if not path.endswith(TEXT_SUFFIXES):
            continue
        try:
            texts[path] = content.decode()
            # PostgreSQL stores no such character in JSON, and no theme needs it.
            if "\0" in texts[path]:
                raise ValueError("NUL")
        except ValueError:
            texts.pop(path, None)
            message = "This file is not text in UTF-8."
            unreadable.append(ThemeFinding(path, 1, Severity.ERROR, "not_utf8", message))
    return texts, unreadable


def _check_assets(contents: Mapping[str, bytes]) -> list[ThemeFinding]:
    message = "No file of a theme is called that; see the chapter themes for the folders and their files."
    others = sorted(path for path in contents if not path.endswith(TEXT_SUFFIXES) and not is_known(path))
    return [ThemeFinding(path[:200], 1, Severity.ERROR, "unknown_path", message) for path in others]
