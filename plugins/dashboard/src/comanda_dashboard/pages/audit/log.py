"""The audit log: who changed what, as sentences."""

from typing import Any, Final

from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.audit.sentences import describe_entry, list_actions
from comanda_dashboard.pages.audit.subjects import list_subjects

KIND_LABELS: Final = {
    "owner": N_("Owner"),
    "staff": N_("Staff"),
    "app": N_("App"),
    "storefront": N_("Storefront"),
    "operator": N_("Operator"),
}
# Nobody in particular stands behind these.
IMPERSONAL_KINDS: Final = frozenset({"storefront", "operator"})
FILTERS: Final = ("actor_kind", "actor_id", "action", "restaurant_id", "page")


@dashboard.get("/audit-log", scope="restaurants:read")
async def list_entries(visit: Visit) -> Response:
    """Show changes made by the owner, staff, apps and agents, newest first."""
    filters = visit.query(*FILTERS, "since", "until")
    query: dict[str, str] = {name: filters[name] for name in FILTERS if name in filters}
    query |= visit.to_moments(filters)
    entries = await visit.api.get("/audit-log", query=query)
    titles = {store.id: store.title for store in visit.stores}
    for entry, subjects in zip(entries["data"], await list_subjects(visit, entries["data"]), strict=True):
        entry["sentence"] = describe_entry(entry["action"], subjects)
        entry["has_subjects"] = bool(subjects)
        entry["person"] = _name_actor(entry["actor"])
        entry["store"] = titles.get(entry["restaurant_id"])
    return await visit.render(
        "dashboard/audit_log.html",
        entries=entries,
        filters=filters,
        kinds=[(kind, _(label)) for kind, label in KIND_LABELS.items()],
        people=_list_people(entries["data"]),
        actions=list_actions(),
    )


def _name_actor(actor: Any) -> str:
    kind = _(KIND_LABELS.get(actor["kind"], actor["kind"].capitalize()))
    if actor["kind"] in IMPERSONAL_KINDS:
        return kind
    return actor["name"] or _("%(kind)s, no longer known", kind=kind)


def _list_people(entries: list[Any]) -> list[tuple[str, int, str]]:
    people = {(entry["actor"]["kind"], entry["actor"]["id"]): entry["person"] for entry in entries}
    return sorted(((kind, id, name) for (kind, id), name in people.items()), key=lambda person: person[2])
