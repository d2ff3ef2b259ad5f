"""What an owner's plan, apps and administrators entitle the stores to, in the dashboard."""

from typing import Final

from comanda.contracts import MAX_PER_PAGE
from comanda.web.dashboard import Visit
from quart import Response

from comanda_entitlements.pages import dashboard
from comanda_entitlements.pages.feature_texts import describe_features, load_app_names

ENTITLEMENTS: Final = "/entitlements"


@dashboard.get("/entitlements", scope="entitlements:read")
async def show_entitlements(visit: Visit) -> Response:
    """Show the limits with what of them is used, and the features, with where they come from and until when."""
    found = await visit.api.get(ENTITLEMENTS, query={"per_page": MAX_PER_PAGE, **visit.query("page")})
    features = describe_features(found["data"], await load_app_names(visit, found["data"]))
    sources = [source for feature in found["data"] for source in feature["sources"]]
    return await visit.render(
        "entitlements/dashboard/entitlements.html",
        found=found,
        limits=[feature for feature in features if feature.is_counted],
        features=[feature for feature in features if not feature.is_counted],
        # Without a plan everything is granted and no plan is named.
        has_plan=any(source["source_type"] == "plan" for source in sources)
        or not all(feature.is_granted for feature in features),
        has_subscription=visit.api.has("GET", "/subscription"),
    )
