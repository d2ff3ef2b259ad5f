"""What the pages of entitlements say about features: limits, what of them is used, and where they come from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from comanda.basics import NotFound
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Visit

from comanda_entitlements.models import SourceType
from comanda_entitlements.services.overview import DEFAULT_PLAN
from comanda_entitlements.services.sources import APP_FEATURE_PREFIX

SOURCE_LABELS: Final = {
    SourceType.PLAN: N_("Plan"),
    SourceType.ADD_ON: N_("Add-on"),
    SourceType.APP: N_("App"),
    SourceType.ADMIN: N_("Granted by the operator"),
}
INSTALLATION: Final = "/app-installations/{id}"
# From this part of a limit on, the page warns.
NEARLY_USED: Final = 0.8


@dataclass(frozen=True, slots=True)
class SourceText:
    """Where a feature comes from: a label, the name of the plan or app, what it grants, and until when."""

    label: str
    name: str
    href: str | None
    quota: int | None
    expires_at: str | None


@dataclass(frozen=True, slots=True)
class FeatureText:
    """A feature as the pages show it. ``tone`` is that of the limit: good, warn or bad."""

    key: str
    label: str
    is_granted: bool
    quota: int | None
    used: int | None
    tone: str
    sources: tuple[SourceText, ...]

    @property
    def is_counted(self) -> bool:
        """Whether it is a number that can be limited, rather than something that is on or off."""
        return self.used is not None or self.quota is not None

    @property
    def is_limited(self) -> bool:
        """Whether what is used is counted against a limit."""
        return self.is_granted and self.used is not None and self.quota is not None


def describe_features(
    features: Iterable[Mapping[str, Any]], app_names: Mapping[str, str] | None = None
) -> list[FeatureText]:
    """Return features of the wire in words; ``app_names`` are those of apps by the id of their installation."""
    names = app_names or {}
    return [_describe(feature, names) for feature in features]


async def load_app_names(visit: Visit, features: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the names of the apps that grant features, by the id of their installation, as far as they can be read."""
    ids = {
        source["source_id"]
        for feature in features
        for source in feature["sources"]
        if source["source_type"] == SourceType.APP and source["source_id"].isdecimal()
    }
    found = {}
    for id in ids if visit.api.has("GET", INSTALLATION) else ():
        try:
            found[id] = (await visit.api.get(INSTALLATION, id=id))["name"]
        except NotFound:
            continue
    return found


def _describe(feature: Mapping[str, Any], app_names: Mapping[str, str]) -> FeatureText:
    sources = tuple(_describe_source(source, app_names) for source in feature["sources"])
    is_of_app = feature["feature_key"].startswith(APP_FEATURE_PREFIX)
    app_name = next((source.name for source in sources if is_of_app and source.href), None)
    label = _("App %(name)s", name=app_name) if app_name else _(feature["label"])
    used, quota = feature["used"], feature["quota"]
    tone = "good" if feature["granted"] else "neutral"
    if feature["granted"] and used is not None and quota is not None:
        tone = "bad" if used >= quota else "warn" if used >= quota * NEARLY_USED else "good"
    return FeatureText(feature["feature_key"], label, feature["granted"], quota, used, tone, sources)


def _describe_source(source: Mapping[str, Any], app_names: Mapping[str, str]) -> SourceText:
    kind, id = SourceType(source["source_type"]), source["source_id"]
    name, href = id, None
    if kind is SourceType.ADMIN or (kind is SourceType.PLAN and id == DEFAULT_PLAN):
        name = ""
    elif kind is SourceType.APP:
        name, href = app_names.get(id, ""), f"/dashboard/apps/installed/{id}" if id in app_names else None
    return SourceText(_(SOURCE_LABELS[kind]), name, href, source["quota"], source["expires_at"])
