"""Entitlements of an owner in the dashboard: what administrators see, grant and revoke."""

from typing import Any, Final

import orjson
from comanda.accounts import get_owner
from comanda.contracts import MAX_PER_PAGE, Audience, PageRequest, Panel, parse_body
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit, read_values
from pydantic import TypeAdapter
from quart import Response, request

from comanda_entitlements.models import SourceType
from comanda_entitlements.pages import dashboard
from comanda_entitlements.pages.feature_texts import describe_features
from comanda_entitlements.records import EffectiveFeature
from comanda_entitlements.schemas import GrantBody
from comanda_entitlements.services import administration, overview
from comanda_entitlements.services.effective import get_features

PAGE: Final = "/administration/owners/{}/entitlements"
RULE: Final = PAGE.format("<int:owner_id>")


async def load_owner_panel(visit: Visit, owner_id: int) -> str:
    """Return how many features an owner has, with the link to them."""
    found = (await overview.list_effective(owner_id, PageRequest(1, MAX_PER_PAGE))).data
    included = sum(feature.is_granted for feature in found)
    return await visit.render_fragment(
        "entitlements/dashboard/_owner_panel.html", owner_id=owner_id, included=included, total=len(found)
    )


PANELS: Final = (
    Panel("entitlements_owner", "owner", N_("Entitlements"), load_owner_panel, position=10),
)  # fmt: skip


@dashboard.get(RULE, scope=None, audience=Audience.ADMINISTRATOR)
async def show_owner(visit: Visit, owner_id: int) -> Response:
    """Show what an owner may use, and the form to grant a feature."""
    return await _render(visit, owner_id, Form(GrantBody, visit.zone))


@dashboard.post(RULE, scope=None, audience=Audience.ADMINISTRATOR)
async def grant_feature(visit: Visit, owner_id: int) -> Response:
    """Grant a feature, up to a quota and until a day."""

    async def send(values: Any) -> None:
        grant = parse_body(GrantBody, orjson.dumps(values))
        await administration.grant_as_administrator(visit.caller, owner_id, grant)

    sent = read_values((await request.form).items(multi=True), GrantBody, visit.zone)
    form = Form(GrantBody, visit.zone, sent, send=send)
    if await form.submit() is None:
        return await _render(visit, owner_id, form)
    return visit.redirect(PAGE.format(owner_id), notice=_("Feature granted."))


@dashboard.post(f"{RULE}/revoke", scope=None, audience=Audience.ADMINISTRATOR)
async def revoke_feature(visit: Visit, owner_id: int) -> Response:
    """Revoke what an administrator granted."""
    feature = (await visit.read_texts()).get("feature", "")
    await administration.revoke_as_administrator(visit.caller, owner_id, feature)
    return visit.redirect(PAGE.format(owner_id), notice=_("Grant revoked."))


async def _render(visit: Visit, owner_id: int, form: Form) -> Response:
    owner = await get_owner(owner_id)
    found = (await overview.list_effective(owner_id, PageRequest(1, MAX_PER_PAGE))).data
    shown = TypeAdapter(list[EffectiveFeature]).dump_python(found, mode="json", by_alias=True)
    granted = {
        feature.feature_key
        for feature in found
        for source in feature.sources
        if source.source_type is SourceType.ADMIN and source.source_id == feature.feature_key
    }
    return await visit.render(
        "entitlements/dashboard/owner.html",
        owner=owner,
        form=form,
        features=describe_features(shown),
        granted=granted,
        choices=[(code, _(feature.label)) for code, feature in sorted(get_features().items())],
    )
