"""A driver of the demo's owner, and what deliveries of the demo's restaurants cost."""

from typing import Final

from comanda import clock
from comanda.accounts.services import IssuedToken
from comanda.demo import Showcase

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
    """Find or make the driver and a token, and set the terms of restaurants that have none."""
    caller = showcase.caller()
    for store in showcase.stores:
        store_id = int(str(store["id"]))
        if store["store_type"] == STORE_TYPE and not (await terms.show(caller, store_id))["bands"]:
            await terms.change(caller, store_id, TERMS)
    owner_id = caller.owner_id
    driver = await Driver.get_or_none(owner_id=owner_id, phone=PHONE, deleted_at=None)
    if driver is None:
        driver = await Driver.create(
            owner_id=owner_id, name=NAME, phone=PHONE, is_on_shift=True, created_at=clock.now()
        )
    driver_id = driver.id

    async def issue() -> IssuedToken:
        return await tokens.issue_for_owner(owner_id, driver_id)

    await showcase.token(tokens.DRIVER.code, owner_id, issue)
    # The code that is sent there stands in the outbox.
    showcase.logins["driver"] = {"phone": PHONE}


async def list_people(owner_id: int) -> list[str]:
    """Return the demo's driver where they can log in now."""
    found = await Driver.filter(owner_id=owner_id, phone=PHONE, is_active=True, deleted_at=None)
    return [f"driver {driver.phone}" for driver in found]
