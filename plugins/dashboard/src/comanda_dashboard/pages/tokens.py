"""Access tokens of the owner: list, create with chosen scopes, revoke."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from comanda.basics import clock
from comanda.contracts import COARSE
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_dashboard.pages import dashboard

TOKENS: Final = "/tokens"
LIFETIMES: Final = (("30", N_("30 days")), ("90", N_("90 days")), ("365", N_("One year")), ("", N_("Never")))
DEFAULT_LIFETIME: Final = "90"


@dataclass(frozen=True, slots=True)
class ScopeGroup:
    """The scopes of one resource, such as orders; the coarse ones form a group without a name."""

    name: str
    scopes: list[dict[str, str]]


@dashboard.get("/tokens", scope="tokens:read")
async def list_tokens(visit: Visit) -> Response:
    """Show the tokens that are in use."""
    tokens = await visit.api.get(TOKENS, query=visit.query("page"))
    labels = {scope["name"]: _(scope["label"]) for scope in await visit.api.get(f"{TOKENS}/scopes")}
    return await visit.render("dashboard/tokens/tokens.html", tokens=tokens, labels=labels)


@dashboard.get("/tokens/new", scope="tokens:write", step_up=True)
async def show_new_token(visit: Visit) -> Response:
    return await _render(visit, visit.form("POST", TOKENS), DEFAULT_LIFETIME)


@dashboard.post("/tokens/new", scope="tokens:write", step_up=True)
async def create_token(visit: Visit) -> Response:
    """Create a token and show its secret, this once."""
    form = await visit.read_form("POST", TOKENS)
    lifetime = (await visit.read_texts()).get("_lifetime", "")
    if lifetime in {days for days, _label in LIFETIMES if days}:
        form.values["expires_at"] = (clock.now() + timedelta(days=int(lifetime))).isoformat()
    if (token := await form.submit()) is None:
        return await _render(visit, form, lifetime)
    return await visit.render("dashboard/tokens/token_created.html", token=token)


@dashboard.post("/tokens/<int:token_id>/revoke", scope="tokens:write")
async def revoke_token(visit: Visit, token_id: int) -> Response:
    path = f"{TOKENS}/{{tokenId}}"
    return await visit.act("DELETE", path, to="/tokens", notice=_("Token revoked."), tokenId=token_id)


async def _render(visit: Visit, form: Form, lifetime: str) -> Response:
    scopes = await visit.api.get(f"{TOKENS}/scopes")
    return await visit.render(
        "dashboard/tokens/new_token.html",
        form=form,
        groups=_group(scopes),
        lifetime=lifetime,
        lifetimes=[(days, _(label)) for days, label in LIFETIMES],
    )


def _group(scopes: Sequence[Any]) -> list[ScopeGroup]:
    groups: dict[str, ScopeGroup] = {}
    for scope in scopes:
        name = "" if scope["name"] in COARSE else scope["name"].partition(":")[0]
        groups.setdefault(name, ScopeGroup(name, [])).scopes.append({**scope, "label": _(scope["label"])})
    return sorted(groups.values(), key=lambda group: group.name)
