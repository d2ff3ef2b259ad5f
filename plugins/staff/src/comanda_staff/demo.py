"""Demo staff of the demo restaurant: a manager, a waiter and a cook."""

from typing import Final

from comanda.accounts import IssuedToken, passwords
from comanda.accounts import services as accounts
from comanda.contracts import Caller, Showcase
from comanda.operations.demo_data import create_once, demo_password, demo_pin, list_demo_ids
from comanda.stores import Store, find_store

from comanda_staff.caller_kinds import STAFF
from comanda_staff.models import Member, Role
from comanda_staff.schemas.members import MemberBody
from comanda_staff.services import members, pins
from comanda_staff.services.permissions import list_permissions

DEMO_MEMBERS: Final = (
    (Role.MANAGER, "Marta Sousa", "marta@demo.example"),
    (Role.WAITER, "Tiago Pinto", "tiago@demo.example"),
    (Role.KITCHEN, "Rosa Almeida", "rosa@demo.example"),
)


async def create_demo_data(showcase: Showcase) -> None:
    """Create the demo staff once, with a token for the manager; without a restaurant, in the demo's first store."""
    stores = sorted(showcase.stores, key=lambda store: store["store_type"] != "restaurant")
    caller = showcase.caller()
    store = await find_store(caller.owner_id, int(str(stores[0]["id"]))) if stores else None
    if store is None:
        return
    logins: dict[str, object] = {}
    for role, name, email in DEMO_MEMBERS:
        found = await _get_or_create_member(caller, store, role, name, email)
        if found is not None and found.is_active:
            logins[role.value] = await _to_login(store.id, role, found)
            if role is Role.MANAGER:
                await _issue_token(showcase, found)
    showcase.logins["staff"] = {"restaurant_id": store.id, **logins}


async def _get_or_create_member(caller: Caller, store: Store, role: Role, name: str, email: str) -> Member | None:
    async def create() -> int:
        password, pin = await demo_password("staff", str(store.id), role), await demo_pin("staff", str(store.id), role)
        body = MemberBody(name=name, role=role, email=email, password=password, pin=pin)
        return (await members.create_member(caller, store.id, body)).id

    async def find() -> int | None:
        found = await Member.get_or_none(owner_id=caller.owner_id, store_id=store.id, email=email)
        return found.id if found is not None else None

    member_id = await create_once(f"staff:{store.id}:{role}", create, find)
    return await Member.get_or_none(owner_id=caller.owner_id, store_id=store.id, id=member_id or 0)


async def _to_login(store_id: int, role: Role, found: Member) -> dict[str, str | None]:
    """Return a member's demo credentials, without those that have been changed since."""
    password, pin = await demo_password("staff", str(store_id), role), await demo_pin("staff", str(store_id), role)
    is_password = (await passwords.verify_password(password, found.password_hash)).is_right
    is_pin = found.pin_hash == await pins.hash_pin(store_id, pin)
    return {"email": found.email, "password": password if is_password else None, "pin": pin if is_pin else None}


async def _issue_token(showcase: Showcase, manager: Member) -> None:
    async def issue() -> IssuedToken:
        holder = {"store_id": manager.store_id, "subject_id": manager.id}
        return await accounts.issue_token(STAFF, manager.owner_id, list_permissions(manager), name="demo", **holder)

    await showcase.token(STAFF.code, manager.owner_id, issue)


async def list_logins(owner_id: int) -> list[str]:
    """List the demo staff who can log in now."""
    ids = await list_demo_ids("staff:")
    found = await Member.filter(owner_id=owner_id, id__in=ids, is_active=True).order_by("id")
    return [f"{member.role} {member.email or member.name}" for member in found]
