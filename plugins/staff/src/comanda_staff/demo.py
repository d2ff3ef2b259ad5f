"""The people of the demo restaurant: a manager, a waiter and a cook."""

from typing import Final

from comanda.accounts import services as accounts
from comanda.accounts.services import IssuedToken
from comanda.demo import Showcase
from comanda.stores.models import Store

from comanda_staff.kinds import STAFF
from comanda_staff.models import Member, Role
from comanda_staff.permissions import of_member
from comanda_staff.schemas.members import MemberBody
from comanda_staff.services import members

PASSWORD: Final = "lemon-tart-51"  # noqa: S105 - printed for whoever looks at the demo
PEOPLE: Final = (
    (Role.MANAGER, "Marta Sousa", "marta@demo.example", "8301"),
    (Role.WAITER, "Tiago Pinto", "tiago@demo.example", "6274"),
    (Role.KITCHEN, "Rosa Almeida", "rosa@demo.example", "5918"),
)


async def fill(showcase: Showcase) -> None:
    """Find or make the people, and a token for the manager; without a restaurant in the demo, of its first store."""
    stores = sorted(showcase.stores, key=lambda store: store["store_type"] != "restaurant")
    caller = showcase.caller()
    store = await Store.get_or_none(owner_id=caller.owner_id, id=int(str(stores[0]["id"]))) if stores else None
    if store is None:
        return
    logins = {}
    for role, name, email, pin in PEOPLE:
        if not await Member.exists(owner_id=caller.owner_id, store_id=store.id, email=email):
            body = MemberBody(name=name, role=role, email=email, password=PASSWORD, pin=pin)
            await members.add_member(caller, store.id, body)
        logins[role.value] = {"email": email, "password": PASSWORD, "pin": pin}
    showcase.logins["staff"] = {"restaurant_id": store.id, **logins}
    await _token(showcase, store)


async def _token(showcase: Showcase, store: Store) -> None:
    manager = await Member.get(owner_id=store.owner_id, store_id=store.id, email=PEOPLE[0][2])

    async def issue() -> IssuedToken:
        who = {"store_id": store.id, "subject_id": manager.id}
        return await accounts.issue_token(STAFF, store.owner_id, of_member(manager), name="demo", **who)

    await showcase.token(STAFF.code, store.owner_id, issue)


async def list_people(owner_id: int) -> list[str]:
    """Return the demo's people who can log in now."""
    emails = [email for _, _, email, *_ in PEOPLE]
    found = await Member.filter(owner_id=owner_id, email__in=emails, is_active=True).order_by("id")
    return [f"{member.role} {member.email}" for member in found]
