"""A driver for the demo's owner, and delivery terms for the demo's restaurants."""

from typing import Final

from comanda.accounts import IssuedToken
from comanda.basics import clock
from comanda.contracts import Caller, Showcase
from comanda.operations.demo_data import create_once, fill_once, list_demo_ids

from comanda_drivers.caller_kinds import DRIVER
from comanda_drivers.models import Driver
from comanda_drivers.schemas.terms import BandBody, TermsChange
from comanda_drivers.services.accounts import tokens
from comanda_drivers.services.terms import delivery_terms

DRIVER_NAME: Final = "Rui Costa"
DRIVER_PHONE: Final = "+351961234567"
STORE_TYPE: Final = "restaurant"
TERMS: Final = TermsChange(
    lat=38.7139,
    lng=-9.1335,
    fee=3.5,
    bands=[BandBody(up_to_km=2, fee=1.9), BandBody(up_to_km=5, fee=3.5), BandBody(up_to_km=9, fee=5.9)],
    free_over=40,
)


async def create_demo_drivers(showcase: Showcase) -> None:
    """Create the driver and a token, and delivery terms for restaurants that have none; each once."""
    caller = showcase.caller()
    for store in showcase.stores:
        if store["store_type"] == STORE_TYPE:
            await _set_terms(caller, int(str(store["id"])))
    driver = await _create_driver_once(caller.owner_id)
    if driver is None:
        return

    async def issue() -> IssuedToken:
        return await tokens.issue_permanent_token(driver.owner_id, driver.id)

    await showcase.token(DRIVER.code, caller.owner_id, issue)
    # The login code is in the message outbox.
    showcase.logins["driver"] = {"phone": driver.phone}


async def _set_terms(caller: Caller, store_id: int) -> None:
    is_there = bool((await delivery_terms.get_store_terms(caller, store_id)).bands)
    await fill_once(
        f"delivery-terms:{store_id}",
        lambda: delivery_terms.update_store_terms(caller, store_id, TERMS),
        is_there=is_there,
    )


async def _create_driver_once(owner_id: int) -> Driver | None:
    async def create() -> int:
        driver = await Driver.create(
            owner_id=owner_id, name=DRIVER_NAME, phone=DRIVER_PHONE, is_on_shift=True, created_at=clock.now()
        )
        return int(driver.id)

    async def find() -> int | None:
        found = await Driver.get_or_none(owner_id=owner_id, phone=DRIVER_PHONE, deleted_at=None)
        return found.id if found is not None else None

    driver_id = await create_once(_build_key(owner_id), create, find)
    return await Driver.get_or_none(owner_id=owner_id, id=driver_id or 0, is_active=True, deleted_at=None)


def _build_key(owner_id: int) -> str:
    return f"driver:{owner_id}"


async def list_demo_drivers(owner_id: int) -> list[str]:
    """Return the demo's drivers who can log in."""
    ids = await list_demo_ids(_build_key(owner_id))
    found = await Driver.filter(owner_id=owner_id, id__in=ids, is_active=True, deleted_at=None)
    return [f"driver {driver.phone}" for driver in found]
