"""Members of staff in the dashboard: listed, created, changed, with roles, permissions and credentials."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.contracts import NavigationEntry
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

from comanda_staff.models import Permission, Role
from comanda_staff.services.permissions import PERMISSIONS_BY_ROLE

dashboard: Final = DashboardPages("staff", __name__)

MEMBERS: Final = "/restaurants/{id}/staff"
MEMBER: Final = f"{MEMBERS}/{{staffId}}"
STATIONS: Final = "/restaurants/{id}/stations"
MAX_STATIONS: Final = 50
ROLES: Final = {
    Role.MANAGER: N_("Manager"),
    Role.CASHIER: N_("Cashier"),
    Role.WAITER: N_("Waiter"),
    Role.KITCHEN: N_("Kitchen"),
}
PERMISSIONS: Final = {
    Permission.ORDERS: N_("See, take and change orders"),
    Permission.MENU_EDIT: N_("Change the menu"),
    Permission.COUPONS: N_("Give discounts and refunds"),
    Permission.ANALYTICS: N_("See reports"),
    Permission.KDS: N_("Work at the kitchen display"),
    Permission.CUSTOMERS: N_("See customers"),
}
# Never shown again.
SECRETS: Final = ("pin", "password")
# Inputs of the page that become grants and denials; what begins with _ is not sent to the route.
CHOICE: Final = "_may_"
NAVIGATION: Final = (
    NavigationEntry(N_("Staff"), "/stores/{store_id}/staff", "people", "restaurants:read", icon="person", position=20),
    NavigationEntry(
        N_("Devices"), "/stores/{store_id}/staff-devices", "people", "restaurants:read", icon="shield", position=30
    ),
)


@dashboard.get("/stores/<int:store_id>/staff", scope="restaurants:read")
async def list_members(visit: Visit, store_id: int) -> Response:
    """List the members of staff with what they may do and how they log in."""
    members = await visit.api.get(MEMBERS, id=store_id, query=visit.query("page"))
    return await visit.render("staff/dashboard/members.html", members=members, **_get_labels())


@dashboard.get("/stores/<int:store_id>/staff/new", scope="restaurants:write", step_up=True)
async def show_new_member(visit: Visit, store_id: int) -> Response:
    """Show an empty form."""
    return await _render(visit, visit.form("POST", MEMBERS, {"role": Role.WAITER.value}), None)


@dashboard.post("/stores/<int:store_id>/staff/new", scope="restaurants:write", step_up=True)
async def create_member(visit: Visit, store_id: int) -> Response:
    form = await visit.read_form("POST", MEMBERS, id=store_id)
    form.values |= await _read_permissions(visit)
    if (member := await form.submit()) is None:
        return await _render(visit, form, None)
    notice = " ".join([_("%(name)s can log in now.", name=member["name"]), *member["warnings"]])
    return visit.redirect(f"/stores/{store_id}/staff", notice=notice)


@dashboard.get("/stores/<int:store_id>/staff/<int:staff_id>", scope="restaurants:read")
async def show_member(visit: Visit, store_id: int, staff_id: int) -> Response:
    """Show a member of staff and their form."""
    member = await visit.api.get(MEMBER, id=store_id, staffId=staff_id)
    return await _render(visit, visit.form("PUT", MEMBER, member), member)


@dashboard.post("/stores/<int:store_id>/staff/<int:staff_id>", scope="restaurants:write", step_up=True)
async def update_member(visit: Visit, store_id: int, staff_id: int) -> Response:
    """Save a member of staff. An empty PIN or password stays as it is."""
    member = await visit.api.get(MEMBER, id=store_id, staffId=staff_id)
    form = await visit.read_form("PUT", MEMBER, id=store_id, staffId=staff_id)
    sent = {**form.values, **await _read_permissions(visit)}
    form.values = _get_changes(sent, member)
    saved = await form.submit()
    form.values = sent
    if saved is None:
        return await _render(visit, form, member)
    notice = " ".join([_("%(name)s saved.", name=saved["name"]), *saved["warnings"]])
    return visit.redirect(f"/stores/{store_id}/staff/{staff_id}", notice=notice)


@dashboard.post("/stores/<int:store_id>/staff/<int:staff_id>/remove-pin", scope="restaurants:write", step_up=True)
async def remove_pin(visit: Visit, store_id: int, staff_id: int) -> Response:
    """Remove the PIN of a member who logs in by e-mail as well."""
    return await visit.act(
        "PUT", MEMBER, body={"pin": None}, to=f"/stores/{store_id}/staff/{staff_id}", id=store_id, staffId=staff_id,
        notice=_("PIN removed. The member is logged out everywhere."),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/staff/<int:staff_id>/reset-2fa", scope="restaurants:write", step_up=True)
async def reset_two_factor(visit: Visit, store_id: int, staff_id: int) -> Response:
    """Turn two-factor off for a member who lost access to it."""
    return await visit.act(
        "DELETE", f"{MEMBER}/2fa", to=f"/stores/{store_id}/staff/{staff_id}", id=store_id, staffId=staff_id,
        notice=_("Two-factor is off. The member is logged out everywhere."),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/staff/<int:staff_id>/delete", scope="restaurants:write", step_up=True)
async def delete_member(visit: Visit, store_id: int, staff_id: int) -> Response:
    return await visit.act(
        "DELETE", MEMBER, to=f"/stores/{store_id}/staff", notice=_("Member deleted."), id=store_id, staffId=staff_id
    )


async def _render(visit: Visit, form: Form, member: Mapping[str, Any] | None) -> Response:
    stations: list[Any] = []
    if visit.api.has("GET", STATIONS):
        found = await visit.api.get(STATIONS, id=visit.store.id, query={"per_page": MAX_STATIONS})
        stations = [(str(each["id"]), each["name"]) for each in found["data"]]
    form.values |= dict.fromkeys(SECRETS)
    form.values["station_ids"] = [str(id) for id in form.values.get("station_ids") or ()]
    for permission in Permission:
        form.values[CHOICE + permission] = (
            "grant" if permission in (form.values.get("grants") or ())
            else "deny" if permission in (form.values.get("denials") or ())
            else "role"
        )  # fmt: skip
    return await visit.render(
        "staff/dashboard/member.html", form=form, member=member, stations=stations,
        choices=[("role", _("As the role")), ("grant", _("Always")), ("deny", _("Never"))], **_get_labels(),
    )  # fmt: skip


async def _read_permissions(visit: Visit) -> dict[str, list[str]]:
    """Return the permissions that were chosen to differ from those of the role."""
    texts = await visit.read_texts()
    chosen = {permission.value: texts.get(CHOICE + permission, "role") for permission in Permission}
    return {
        "grants": [permission for permission, choice in chosen.items() if choice == "grant"],
        "denials": [permission for permission, choice in chosen.items() if choice == "deny"],
    }


def _get_changes(sent: Mapping[str, Any], member: Mapping[str, Any]) -> dict[str, Any]:
    """Return what changes the member. Null would remove the PIN, and leave the name as it is."""
    changes = {name: value for name, value in sent.items() if name in SECRETS or value != member.get(name)}
    for secret in SECRETS:
        if not changes.get(secret):
            changes.pop(secret, None)
    if "name" in changes:
        changes["name"] = changes["name"] or ""
    return changes


def _get_labels() -> dict[str, Any]:
    return {
        "roles": {role.value: _(label) for role, label in ROLES.items()},
        "permissions": {permission.value: _(label) for permission, label in PERMISSIONS.items()},
        "permissions_by_role": {role.value: PERMISSIONS_BY_ROLE[role] for role in ROLES},
    }
