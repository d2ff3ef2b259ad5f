"""The people of the demo restaurant: a manager, a waiter and a cook."""

from typing import Final

from comanda.accounts import passwords
from comanda.accounts import services as accounts
from comanda.accounts.services import IssuedToken
from comanda.contracts.callers import Caller
from comanda.contracts.demo import Showcase
from comanda.demo_data.builder import create_once, demo_password, demo_pin, list_demo_ids
from comanda.stores.models import Store

from comanda_staff import pins
from comanda_staff.kinds import STAFF
from comanda_staff.models import Member, Role
from comanda_staff.permissions import of_member
from comanda_staff.schemas.members import MemberBody
from comanda_staff.services import members

PEOPLE: Final = (
    (Role.MANAGER, "Marta Sousa", "marta@demo.example"),
    (Role.WAITER, "Tiago Pinto", "tiago@demo.example"),
    (Role.KITCHEN, "Rosa Almeida", "rosa@demo.example"),
)


async def fill(showcase: Showcase) -> None:
    """Employ the people once, with a token for the manager; without a restaurant in the demo, in its first store."""
    stores = sorted(showcase.stores, key=lambda store: store["store_type"] != "restaurant")
    caller = showcase.caller()
    store = await Store.get_or_none(owner_id=caller.owner_id, id=int(str(stores[0]["id"]))) if stores else None
    if store is None:
        return
    logins: dict[str, object] = {}
    for role, name, email in PEOPLE:
        found = await _member(caller, store, role, name, email)
        if found is not None and found.is_active:
            logins[role.value] = await _login(store.id, role, found)
            if role is Role.MANAGER:
                await _token(showcase, found)
    showcase.logins["staff"] = {"restaurant_id": store.id, **logins}


async def _member(caller: Caller, store: Store, role: Role, name: str, email: str) -> Member | None:
    async def make() -> int:
        password, pin = await demo_password("staff", str(store.id), role), await demo_pin("staff", str(store.id), role)
        body = MemberBody(name=name, role=role, email=email, password=password, pin=pin)
        return int((await members.add_member(caller, store.id, body))["id"])

    async def find() -> int | None:
        found = await Member.get_or_none(owner_id=caller.owner_id, store_id=store.id, email=email)
        return found.id if found is not None else None

    member_id = await create_once(f"staff:{store.id}:{role}", make, find)
    return await Member.get_or_none(owner_id=caller.owner_id, store_id=store.id, id=member_id or 0)


async def _login(store_id: int, role: Role, found: Member) -> dict[str, str | None]:
    """Tell how somebody logs in; what has been changed since is nobody's to show."""
    password, pin = await demo_password("staff", str(store_id), role), await demo_pin("staff", str(store_id), role)
    is_password = (await passwords.verify_password(password, found.password_hash)).is_right
    is_pin = found.pin_hash == await pins.hash_of(store_id, pin)
    return {"email": found.email, "password": password if is_password else None, "pin": pin if is_pin else None}


async def _token(showcase: Showcase, manager: Member) -> None:
    async def issue() -> IssuedToken:
        who = {"store_id": manager.store_id, "subject_id": manager.id}
        return await accounts.issue_token(STAFF, manager.owner_id, of_member(manager), name="demo", **who)

    await showcase.token(STAFF.code, manager.owner_id, issue)


async def list_people(owner_id: int) -> list[str]:
    """Return the demo's people who can log in now."""
    ids = await list_demo_ids("staff:")
    found = await Member.filter(owner_id=owner_id, id__in=ids, is_active=True).order_by("id")
    return [f"{member.role} {member.email or member.name}" for member in found]
