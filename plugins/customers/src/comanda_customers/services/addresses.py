"""A customer's saved addresses, of which one is the default as long as there are any."""

from typing import Any

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed

from comanda_customers.models import Address
from comanda_customers.schemas.addresses import AddressBody, AddressChange
from comanda_customers.services import profiles

MOST = 20
# What an order's address may have.
LONGEST = 500
FIELDS = ("label", "line1", "line2", "city", "region", "postcode", "country", "lat", "lng", "instructions")


async def page_of_addresses(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the customer's addresses, newest first."""
    rows = await _mine(caller).order_by("-id").offset(page.offset()).limit(page.size())
    return page.envelope([record(row) for row in rows], await _mine(caller).count())


async def add(caller: Caller, body: AddressBody) -> dict[str, Any]:
    """Save an address; the first becomes the default. Raises ``ValidationFailed`` when there are ``MOST``."""
    async with sql.transaction():
        customer = await profiles.own(caller, locked=True)
        known = await _mine(caller).count()
        if known >= MOST:
            raise ValidationFailed(line1=[f"At most {MOST} addresses can be saved. Delete one first."])
        address = Address(
            owner_id=caller.owner_id, customer_id=customer.id, is_default=known == 0, created_at=clock.now()
        )
        await _save(caller, address, body)
    return record(address)


async def change(caller: Caller, address_id: int, body: AddressChange) -> dict[str, Any]:
    """Change what is given of an address. Raises ``NotFound`` for another customer's."""
    async with sql.transaction():
        await profiles.own(caller, locked=True)
        address = await find(caller, address_id)
        await _save(caller, address, body)
    return record(address)


async def delete(caller: Caller, address_id: int) -> None:
    """Delete an address; after the default the oldest that remains becomes it. Raises ``NotFound``."""
    async with sql.transaction():
        await profiles.own(caller, locked=True)
        address = await find(caller, address_id)
        await address.delete()
        heir = await _mine(caller).order_by("id").first() if address.is_default else None
        if heir is not None:
            heir.is_default = True
            await heir.save(update_fields=["is_default"])


async def find(caller: Caller, address_id: int) -> Address:
    """Return one of the customer's addresses. Raises ``NotFound``."""
    found: Address | None = await _mine(caller).get_or_none(id=address_id)
    if found is None:
        raise NotFound
    return found


def text_of(address: Address) -> str:
    """Write an address in one text, as orders have it."""
    town = " ".join(part for part in (address.postcode, address.city) if part)
    parts = (address.line1, address.line2, town, address.region, address.country)
    return ", ".join(part for part in parts if part)[:LONGEST]


def on_order(address: Address) -> dict[str, Any]:
    """Say where an order goes that is for this address, with all that orders for delivery take of one."""
    is_placed = address.lat is not None and address.lng is not None
    return {
        "address": text_of(address),
        "address_lat": address.lat if is_placed else None,
        "address_lng": address.lng if is_placed else None,
        "address_instructions": address.instructions,
    }


def record(address: Address) -> dict[str, Any]:
    """Make an address as the API shows it."""
    values = {name: getattr(address, name) for name in FIELDS}
    return {"id": address.id, "address": text_of(address), **values, "is_default": address.is_default}


async def _save(caller: Caller, address: Address, body: AddressChange) -> None:
    """Write an address with what is given; the customer's row is locked."""
    for name in body.model_fields_set & set(FIELDS):
        value = getattr(body, name)
        # An address keeps its first line, whatever is cleared.
        if value is not None or name != "line1":
            setattr(address, name, value or (None if isinstance(value, str) else value))
    if body.address is not None and body.line1 is None:
        address.line1 = body.address
        for name in {"line2", "city", "region", "postcode", "country"} - body.model_fields_set:
            setattr(address, name, None)
    if body.is_default and not address.is_default:
        await _mine(caller).filter(is_default=True).update(is_default=False)
        address.is_default = True
    await address.save()


def _mine(caller: Caller) -> Any:
    return Address.filter(owner_id=caller.owner_id, customer_id=caller.subject_id)
