"""Checks of the configuration: no vertical, unknown variables and an unusable public URL."""

import difflib
import os
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from comanda.contracts.registry import Registry
from comanda.operations.diagnostics.effective_settings import list_known_variables
from comanda.operations.diagnostics.results import CheckResult, report_not_checked, report_ok, report_problem
from comanda.platform.settings import Settings, get_prefix

PREFIX = "COMANDA_"
SIMILARITY = 0.7


def check_plugins(registry: Registry) -> CheckResult:
    """Check that a plugin with a vertical is installed."""
    names = ", ".join(plugin.name for plugin in registry.plugins)
    if registry.verticals:
        return report_ok("plugins", names)
    return report_problem(
        "plugins", names, "No vertical is installed, so no store can be opened. Install comanda-restaurant."
    )


def check_variables(settings: Settings, registry: Registry) -> Iterator[CheckResult]:
    """Check for environment variables ``COMANDA_*`` that are not settings; suggest the closest setting."""
    known = list_known_variables(registry)
    unread = sorted({name.upper() for name in os.environ if name.upper().startswith(PREFIX)} - known)
    disabled = {name: get_prefix(name) for name in settings.disabled_plugins}
    strange = [name for name in unread if not name.startswith(tuple(disabled.values()))]
    for name in strange:
        yield report_problem(
            "variables", f"{name} is not a setting of core or an installed plugin", _format_advice(name, known)
        )
    for plugin, prefix in disabled.items():
        if any(name.startswith(prefix) for name in unread):
            yield report_not_checked("variables", f"{prefix}*, as the plugin {plugin} is disabled")
    if not strange:
        yield report_ok("variables", f"every {PREFIX}* variable is a setting")


def _format_advice(name: str, known: Iterable[str]) -> str:
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=SIMILARITY)
    if nearest:
        return f"Did you mean {nearest[0]}? `comanda settings` lists every name."
    return "Remove it, or install the plugin that reads it. `comanda settings` lists every name."


def check_public_url(settings: Settings) -> CheckResult:
    """Check that the public URL can be used as a prefix in links and OpenAPI."""
    url = settings.public_url
    if url is None:
        return report_not_checked("public URL", f"COMANDA_PUBLIC_URL is not set; links start with {settings.site_url}")
    reason = _find_url_problem(url)
    if reason is None:
        return report_ok("public URL", settings.site_url)
    return report_problem(
        "public URL", f"COMANDA_PUBLIC_URL {reason}", "Set it to the form https://orders.example.com."
    )


def _find_url_problem(url: str) -> str | None:
    try:
        parts = urlsplit(url.strip())
        _ = parts.port
    except ValueError:
        return "is not a valid URL"
    if parts.scheme not in {"http", "https"}:
        return "does not start with https:// or http://"
    if not parts.hostname:
        return "has no host"
    if parts.username is not None or parts.password is not None:
        return "contains user information"
    if parts.path not in {"", "/"}:
        return f"has the path {parts.path}"
    return "has a query or a fragment" if parts.query or parts.fragment else None
