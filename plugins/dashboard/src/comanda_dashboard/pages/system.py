"""The health of the installation, its plugins and its settings, for administrators."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from comanda.contracts import Audience
from comanda.operations.diagnostics import (
    NOT_CHECKED_PREFIX,
    CheckResult,
    CheckStatus,
    EffectiveSetting,
    SettingSource,
    check_installation,
    list_settings,
)
from comanda.platform import list_paused, runtime
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.queues import QueueRow, load_queues

CORE: Final = "core"
CHECK_STATUSES: Final = {
    CheckStatus.OK: (N_("OK"), "good"),
    CheckStatus.PROBLEM: (N_("Problem"), "bad"),
    CheckStatus.NOT_CHECKED: (N_("Not checked"), "neutral"),
}
SOURCES: Final = {
    SettingSource.COMMAND_LINE: N_("Command line"),
    SettingSource.ENVIRONMENT: N_("Environment"),
    SettingSource.FILE: N_("File"),
    SettingSource.DEFAULT: N_("Default"),
}


@dataclass(frozen=True, slots=True)
class PluginRow:
    """An installed plugin, its queues with failed rows, its steps that are paused here, and whether it has settings."""

    name: str
    version: str
    distribution: str
    failed_queues: tuple[QueueRow, ...]
    paused_steps: tuple[str, ...]
    has_settings: bool


@dashboard.get("/administration/system", scope=None, audience=Audience.ADMINISTRATOR)
async def show_system(visit: Visit) -> Response:
    """Show what the checks of the installation find, and the plugins."""
    results = await check_installation(runtime.settings(), runtime.registry())
    problems = [result for result in results if result.status is CheckStatus.PROBLEM]
    others = [result for result in results if result.status is not CheckStatus.PROBLEM]
    return await visit.render(
        "dashboard/administration/system.html",
        results=[*problems, *others],
        problems=len(problems),
        get_found=_get_found,
        statuses={status: (_(label), tone) for status, (label, tone) in CHECK_STATUSES.items()},
        plugins=_list_plugins(await load_queues()),
    )


@dashboard.get("/administration/settings", scope=None, audience=Audience.ADMINISTRATOR)
async def show_effective_settings(visit: Visit) -> Response:
    """Show the settings in force, with secrets masked: of all plugins, those of one unfolded."""
    groups = _group_settings()
    chosen = visit.query("plugin").get("plugin", CORE)
    return await visit.render(
        "dashboard/administration/settings.html",
        groups=groups,
        chosen=chosen if chosen in groups else CORE,
        sources={source: _(label) for source, label in SOURCES.items()},
        format_value=_format_value,
    )


def _get_found(result: CheckResult) -> str:
    """Return what a check has found; that it was not made is said by its status."""
    return result.found.removeprefix(NOT_CHECKED_PREFIX) if result.status is CheckStatus.NOT_CHECKED else result.found


def _list_plugins(queues: list[QueueRow]) -> list[PluginRow]:
    groups, paused = _group_settings(), list_paused()
    return [
        PluginRow(
            name=plugin.name,
            version=plugin.version,
            distribution=plugin.distribution,
            failed_queues=tuple(queue for queue in queues if queue.plugin == plugin.name and queue.has_failures),
            paused_steps=tuple(step for name, step in paused if name == plugin.name),
            has_settings=plugin.name in groups,
        )
        for plugin in runtime.registry().plugins
    ]


def _group_settings() -> Mapping[str, list[EffectiveSetting]]:
    groups: dict[str, list[EffectiveSetting]] = {}
    for setting in list_settings(runtime.settings(), runtime.registry()):
        groups.setdefault(setting.plugin, []).append(setting)
    return groups


def _format_value(value: Any) -> str:
    match value:
        case None | "" | [] | {}:
            return "-"
        case bool():
            return _("Yes") if value else _("No")
        case list():
            return ", ".join(map(str, value))
        case Mapping():
            return ", ".join(f"{name}: {_format_value(inner)}" for name, inner in value.items())
    return str(value)
