"""The demo's two owners, which show that tenants are isolated from each other."""

from comanda.accounts import administration, owner_login, services
from comanda.accounts.models import Owner
from comanda.accounts.services import IssuedToken
from comanda.basics import clock
from comanda.basics.errors import NotFound
from comanda.contracts.demo import Showcase
from comanda.operations.demo_data.builder import create_once, demo_password, list_demo_ids
from comanda.platform import runtime

DEMO_OWNERS = {"owner": ("owner@demo.example", "Alba Ferreira"), "other_owner": ("other@demo.example", "Rui Tavares")}


async def create_owners(showcase: Showcase) -> None:
    """Create the owners once, each with a token that has all scopes, and the main one with a password."""
    kind = runtime.registry().caller_kinds["owner"]
    for role, (email, name) in DEMO_OWNERS.items():
        owner_id = await _create_owner_once(role, email, name)
        showcase.owners[role] = owner_id

        async def issue(owner_id: int = owner_id) -> IssuedToken:
            return await services.issue_owner_token(kind, owner_id, ["*"], name="demo")

        await showcase.token(role, owner_id, issue)
    await _add_login(showcase)


async def _add_login(showcase: Showcase) -> None:
    """Set the main owner's password once, and show it until it is changed."""
    owner = await Owner.get(id=showcase.owners["owner"])
    password = await demo_password("owner", str(owner.id))

    async def make() -> int:
        if owner.password_hash is None:
            await owner_login.set_owner_password(owner.id, password)
        return int(owner.id)

    await create_once(f"owner_password:{owner.id}", make)

    is_unchanged = await owner_login.is_owner_password(owner.id, password)
    showcase.logins["owner"] = {"email": owner.email, "password": password if is_unchanged else None}


async def decide_administration(owner_id: int, *, is_granted: bool) -> None:
    """Set whether the main owner is administrator; later runs keep that as it is."""

    async def decide() -> int:
        if is_granted:
            owner = await Owner.get(id=owner_id)
            await administration.set_administrator(owner.email, is_administrator=True)
        return owner_id

    await create_once(f"owner_administrator:{owner_id}", decide)


async def _create_owner_once(role: str, email: str, name: str) -> int:
    async def make() -> int:
        return int((await services.create_owner(email, name)).id)

    async def find() -> int | None:
        found = await Owner.get_or_none(email=email)
        return found.id if found is not None else None

    owner_id = await create_once(_to_demo_name(role), make, find)
    if owner_id is None:
        raise NotFound(f"The demo has no owner {email}.")
    return owner_id


def _to_demo_name(role: str) -> str:
    return f"owner:{role}"


async def find_owner() -> Owner | None:
    """Return the demo's main owner, whose stores the other steps fill, or None if there is no demo."""
    return next(iter(await _find_owners("owner")), None)


async def _find_owners(*roles: str) -> list[Owner]:
    found: list[Owner] = []
    for role in roles:
        known = await list_demo_ids(_to_demo_name(role))
        owner = await (Owner.get_or_none(id=known[0]) if known else Owner.get_or_none(email=DEMO_OWNERS[role][0]))
        if owner is not None:
            found.append(owner)
    return found


async def list_logins(_: int) -> list[str]:
    """List the demo owners that can log in: with a valid owner token, or with the password of the demo."""
    found: list[str] = []
    for owner in await _find_owners(*DEMO_OWNERS):
        if owner.is_suspended:
            continue
        valid = [
            token
            for token in await administration.list_tokens(owner.email)
            if token.expires_at is None or token.expires_at > clock.now()
        ]
        if any(token.kind == "owner" for token in valid):
            found.append(f"owner {owner.email} by token")
        if await owner_login.is_owner_password(owner.id, await demo_password("owner", str(owner.id))):
            found.append(f"owner {owner.email} by password")
    return found
