"""The demo's two owners, so that a newcomer can see that one finds nothing of the other's."""

from comanda import clock, runtime
from comanda.accounts import administration, services
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


async def find_owner() -> Owner | None:
    """Return the demo's owner, whose stores the other steps fill, or None where there is no demo."""
    return await Owner.get_or_none(email=OWNERS["owner"][0])


async def list_people(_: int) -> list[str]:
    """Return the owners that have valid tokens of their own, which is how owners get in."""
    found: list[str] = []
    for email, _name in OWNERS.values():
        tokens = await administration.tokens_of(email) if await Owner.exists(email=email) else ()
        valid = [token for token in tokens if token.expires_at is None or token.expires_at > clock.now()]
        if any(token.kind == "owner" for token in valid):
            found.append(f"owner {email} by token")
    return found
