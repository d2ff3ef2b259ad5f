"""The demo's two owners, so that a newcomer can see that one finds nothing of the other's."""

from comanda import runtime
from comanda.accounts import services
from comanda.accounts.models import Owner
from comanda.accounts.services import IssuedToken
from comanda.demo import Showcase

OWNERS = {
    "owner": ("owner@demo.example", "Alba Ferreira"),
    "other_owner": ("other@demo.example", "Rui Tavares"),
}


async def fill(showcase: Showcase) -> None:
    """Find or make the owners, each with a token that may do everything."""
    kind = runtime.registry().caller_kinds["owner"]
    for role, (email, name) in OWNERS.items():
        owner = await Owner.get_or_none(email=email) or await services.create_owner(email, name)
        showcase.owners[role] = owner.id

        async def issue(owner_id: int = owner.id) -> IssuedToken:
            return await services.issue_owner_token(kind, owner_id, ["*"], name="demo")

        await showcase.token(role, owner.id, issue)
