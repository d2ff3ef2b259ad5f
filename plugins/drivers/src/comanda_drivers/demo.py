"""A driver of the demo's owner, and what deliveries of the demo's restaurants cost."""

from typing import Final

from comanda import clock
from comanda.accounts.services import IssuedToken
from comanda.contracts.callers import Caller
from comanda.contracts.demo import Showcase
from comanda.demo_data.builder import create_once, fill_once, list_demo_ids

from comanda_drivers import terms, tokens
from comanda_drivers.models import Driver
from comanda_drivers.schemas.terms import BandBody, TermsChange

NAME: Final = "Rui Costa"
PHONE: Final = "+351961234567"
STORE_TYPE: Final = "restaurant"
TERMS: Final = TermsChange(
    lat=38.7139,
    lng=-9.1335,
    fee=3.5,
    bands=[BandBody(up_to_km=2, fee=1.9), BandBody(up_to_km=5, fee=3.5), BandBody(up_to_km=9, fee=5.9)],
    free_over=40,
)


async def fill(showcase: Showcase) -> None:
    """Make the driver and a token, and set the terms of restaurants that have none; each once."""
    caller = showcase.caller()
    for store in showcase.stores:
        if store["store_type"] == STORE_TYPE:
            await _set_terms(caller, int(str(store["id"])))
    driver = await _driver(caller.owner_id)
    if driver is None:
        return

    async def issue() -> IssuedToken:
        return await tokens.issue_for_owner(driver.owner_id, driver.id)

    await showcase.token(tokens.DRIVER.code, caller.owner_id, issue)
    # The code that is sent there stands in the outbox.
    showcase.logins["driver"] = {"phone": driver.phone}


async def _set_terms(caller: Caller, store_id: int) -> None:
    is_there = bool((await terms.show(caller, store_id))["bands"])
    await fill_once(f"delivery-terms:{store_id}", lambda: terms.change(caller, store_id, TERMS), is_there=is_there)


async def _driver(owner_id: int) -> Driver | None:
    async def make() -> int:
        made = await Driver.create(owner_id=owner_id, name=NAME, phone=PHONE, is_on_shift=True, created_at=clock.now())
        return int(made.id)

    async def find() -> int | None:
        found = await Driver.get_or_none(owner_id=owner_id, phone=PHONE, deleted_at=None)
        return found.id if found is not None else None

    driver_id = await create_once(_name(owner_id), make, find)
    return await Driver.get_or_none(owner_id=owner_id, id=driver_id or 0, is_active=True, deleted_at=None)


def _name(owner_id: int) -> str:
    return f"driver:{owner_id}"


async def list_people(owner_id: int) -> list[str]:
    """Return the demo's driver where they can log in now."""
    ids = await list_demo_ids(_name(owner_id))
    found = await Driver.filter(owner_id=owner_id, id__in=ids, is_active=True, deleted_at=None)
    return [f"driver {driver.phone}" for driver in found]
