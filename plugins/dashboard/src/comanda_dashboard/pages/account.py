"""The account of the person who is signed in: who they are, their plan, and what of it they use."""

from typing import Any, Final

from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response

from comanda_dashboard.pages import dashboard

ENTITLEMENTS: Final = "/entitlements"


@dashboard.get("/account", scope=None)
async def show_account(visit: Visit) -> Response:
    """Show name, e-mail, plan and limits."""
    account = await visit.api.get("/me") if visit.api.has("GET", "/me") else None
    features: list[Any] = []
    if visit.api.has("GET", ENTITLEMENTS):
        answer = await visit.api.get(ENTITLEMENTS)
        features = answer["data"] if isinstance(answer, dict) else answer
    # What an installed app grants has no name of its own, and is on the page of entitlements.
    features = [each for each in features if each["label"] != each["feature_key"]]
    for feature in features:
        feature["label"] = _(feature["label"])
    return await visit.render(
        "dashboard/account.html",
        account=account,
        limits=[each for each in features if each["granted"] and (each["quota"] is not None or each["used"])],
        features=[each for each in features if each["quota"] is None and not each["used"]],
    )
