"""Loyalty in the dashboard: the programme, its rewards, and the points of a customer."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.basics import money
from comanda.contracts import NavigationEntry, Panel
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

from comanda_loyalty.models import EarnBy, LoyaltyEntryKind, RewardType

dashboard: Final = DashboardPages("loyalty", __name__)

PROGRAMME: Final = "/restaurants/{id}/loyalty"
REWARDS: Final = f"{PROGRAMME}/rewards"
REWARD: Final = f"{REWARDS}/{{rewardId}}"
POINTS: Final = f"{PROGRAMME}/customers/{{customerId}}"
ENTRIES: Final = f"{POINTS}/entries"
CUSTOMER: Final = "/restaurants/{id}/customers/{customerId}"
MENU: Final = "/restaurants/{id}/menu"
# A store has at most 30.
SHOWN_REWARDS: Final = 100
WAYS: Final = {
    EarnBy.AMOUNT: N_("Points for each unit of the currency"),
    EarnBy.ORDER: N_("Stamps for each order"),
    EarnBy.ITEM: N_("Stamps for each item"),
}
TYPES: Final = {
    RewardType.FIXED: N_("Amount off"),
    RewardType.PERCENTAGE: N_("Percent off"),
    RewardType.ITEM: N_("Free item"),
}
KINDS: Final = {
    LoyaltyEntryKind.EARN: N_("For an order"),
    LoyaltyEntryKind.REVOKE: N_("Taken back"),
    LoyaltyEntryKind.REDEEM: N_("Redeemed"),
    LoyaltyEntryKind.RESTORE: N_("Given back"),
    LoyaltyEntryKind.EXPIRE: N_("Expired"),
    LoyaltyEntryKind.ADJUST: N_("Adjusted"),
}
NAVIGATION: Final = (
    NavigationEntry(N_("Loyalty"), "/stores/{store_id}/loyalty", "people", "customers:read", icon="star", position=30),
)


@dashboard.get("/stores/<int:store_id>/loyalty", scope="customers:read")
async def show_programme(visit: Visit, store_id: int) -> Response:
    """Show the programme of the store and its rewards."""
    programme = await visit.api.get(PROGRAMME, id=store_id)
    shown = {**programme, **_format_amount(programme["min_order"], "min_order", visit.store.currency)}
    return await _render_programme(visit, visit.form("PUT", PROGRAMME, shown))


@dashboard.post("/stores/<int:store_id>/loyalty", scope="customers:write")
async def update_programme(visit: Visit, store_id: int) -> Response:
    """Save the programme of the store."""
    form = await visit.read_form("PUT", PROGRAMME, id=store_id)
    if await form.submit() is None:
        return await _render_programme(visit, form)
    return visit.redirect(f"/stores/{store_id}/loyalty", notice=_("Programme saved."))


@dashboard.get("/stores/<int:store_id>/loyalty/rewards/new", scope="customers:write")
async def show_new_reward(visit: Visit, store_id: int) -> Response:
    """Show an empty form."""
    return await _render_reward(visit, visit.form("POST", REWARDS), None)


@dashboard.post("/stores/<int:store_id>/loyalty/rewards/new", scope="customers:write")
async def create_reward(visit: Visit, store_id: int) -> Response:
    """Create a reward."""
    form = await visit.read_form("POST", REWARDS, id=store_id)
    if await form.submit() is None:
        return await _render_reward(visit, form, None)
    return visit.redirect(f"/stores/{store_id}/loyalty", notice=_("Reward created."))


@dashboard.get("/stores/<int:store_id>/loyalty/rewards/<int:reward_id>", scope="customers:read")
async def show_reward(visit: Visit, store_id: int, reward_id: int) -> Response:
    """Show a reward and its form."""
    reward = await visit.api.get(REWARD, id=store_id, rewardId=reward_id)
    shown = {**reward, **_format_value(reward, visit.store.currency)}
    return await _render_reward(visit, visit.form("PUT", REWARD, shown), reward)


@dashboard.post("/stores/<int:store_id>/loyalty/rewards/<int:reward_id>", scope="customers:write")
async def update_reward(visit: Visit, store_id: int, reward_id: int) -> Response:
    """Save a reward."""
    reward = await visit.api.get(REWARD, id=store_id, rewardId=reward_id)
    form = await visit.read_form("PUT", REWARD, id=store_id, rewardId=reward_id)
    if await form.submit() is None:
        return await _render_reward(visit, form, reward)
    return visit.redirect(f"/stores/{store_id}/loyalty", notice=_("Reward saved."))


@dashboard.post("/stores/<int:store_id>/loyalty/rewards/<int:reward_id>/delete", scope="customers:write")
async def delete_reward(visit: Visit, store_id: int, reward_id: int) -> Response:
    """Delete a reward."""
    to = f"/stores/{store_id}/loyalty"
    return await visit.act("DELETE", REWARD, to=to, notice=_("Reward deleted."), id=store_id, rewardId=reward_id)


@dashboard.get("/stores/<int:store_id>/loyalty/customers/<int:customer_id>", scope="customers:read")
async def show_points(visit: Visit, store_id: int, customer_id: int) -> Response:
    """Show the points of a customer with their entries."""
    return await visit.render(
        "loyalty/dashboard/points.html", account=await visit.api.get(POINTS, id=store_id, customerId=customer_id),
        customer=await visit.api.get(CUSTOMER, id=store_id, customerId=customer_id), kinds=_translate(KINDS),
        may_adjust=visit.may("customers:write") and visit.api.has("POST", ENTRIES),
    )  # fmt: skip


@dashboard.get("/stores/<int:store_id>/loyalty/customers/<int:customer_id>/new", scope="customers:write", step_up=True)
async def show_adjustment(visit: Visit, store_id: int, customer_id: int) -> Response:
    """Show the form for points that are added or deducted."""
    return await _render_adjustment(visit, customer_id, visit.form("POST", ENTRIES))


@dashboard.post("/stores/<int:store_id>/loyalty/customers/<int:customer_id>/new", scope="customers:write", step_up=True)
async def adjust_points(visit: Visit, store_id: int, customer_id: int) -> Response:
    """Add or deduct points."""
    form = await visit.read_form("POST", ENTRIES, id=store_id, customerId=customer_id)
    if await form.submit() is None:
        return await _render_adjustment(visit, customer_id, form)
    return visit.redirect(f"/stores/{store_id}/loyalty/customers/{customer_id}", notice=_("Points changed."))


async def load_customer_panel(visit: Visit, customer_id: int) -> str | None:
    """Return the points of a customer, None in a store without a programme."""
    account = await visit.api.get(POINTS, id=visit.store.id, customerId=customer_id)
    if not account["entries"] and not (await visit.api.get(PROGRAMME, id=visit.store.id))["is_on"]:
        return None
    return await visit.render_fragment("loyalty/dashboard/_customer_panel.html", account=account)


PANELS: Final = (
    Panel("loyalty_customer", "customer", N_("Loyalty"), load_customer_panel, "customers:read", position=30),
)


async def _render_programme(visit: Visit, form: Form) -> Response:
    found = await visit.api.get(REWARDS, id=visit.store.id, query={"per_page": SHOWN_REWARDS})
    return await visit.render(
        "loyalty/dashboard/programme.html", form=form, rewards=found["data"], ways=list(_translate(WAYS).items()),
        types=_translate(TYPES),
    )  # fmt: skip


async def _render_reward(visit: Visit, form: Form, reward: Mapping[str, Any] | None) -> Response:
    items: list[tuple[str, str]] = [("", _("No item"))]
    if visit.may("menu:read"):
        categories = await visit.api.get(MENU, id=visit.store.id)
        items += [(str(item["id"]), item["name"]) for each in categories for item in each["items"]]
    return await visit.render(
        "loyalty/dashboard/reward.html", form=form, reward=reward, items=items, types=list(_translate(TYPES).items())
    )


async def _render_adjustment(visit: Visit, customer_id: int, form: Form) -> Response:
    return await visit.render(
        "loyalty/dashboard/adjustment.html", form=form,
        account=await visit.api.get(POINTS, id=visit.store.id, customerId=customer_id),
        customer=await visit.api.get(CUSTOMER, id=visit.store.id, customerId=customer_id),
    )  # fmt: skip


def _translate(labels: Mapping[Any, str]) -> dict[str, str]:
    return {code.value: _(label) for code, label in labels.items()}


def _format_amount(amount: float | None, name: str, currency: str) -> dict[str, str]:
    return {} if amount is None else {name: f"{amount:.{money.get_exponent(currency)}f}"}


def _format_value(reward: Mapping[str, Any], currency: str) -> dict[str, str]:
    if reward["type"] == RewardType.PERCENTAGE:
        return {"value": f"{reward['value']:g}"}
    return _format_amount(reward["value"], "value", currency)
