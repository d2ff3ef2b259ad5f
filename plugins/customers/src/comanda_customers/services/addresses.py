"""Saved addresses of a customer; exactly one of them is the default."""

from typing import Any

from comanda.basics import NotFound, Sentence, ValidationFailed, clock, extend_record
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql

from comanda_customers.models import Address
from comanda_customers.records.customers import SavedAddress
from comanda_customers.schemas.addresses import AddressBody, AddressChange
from comanda_customers.services import profiles

MAX_ADDRESSES = 20
# The limit of an order's address.
MAX_ORDER_ADDRESS_LENGTH = 500
ADDRESS_FIELDS = ("label", "line1", "line2", "city", "region", "postcode", "country", "lat", "lng", "instructions")


async def list_addresses(caller: Caller, page: PageRequest) -> RecordPage[SavedAddress]:
    """List the customer's addresses, newest first."""
    rows = await _filter_own(caller).order_by("-id").offset(page.offset()).limit(page.size())
    return page.of([to_saved_address(row) for row in rows], await _filter_own(caller).count())


async def create_address(caller: Caller, body: AddressBody) -> SavedAddress:
    """Create an address, or return the saved one with the same fields; the first becomes the default.

    Raises ``ValidationFailed`` beyond ``MAX_ADDRESSES``.
    """
    async with sql.transaction():
        customer = await profiles.get_own_customer(caller, locked=True)
        known = await _filter_own(caller)
        created = Address(
            owner_id=caller.owner_id, customer_id=customer.id, is_default=not known, created_at=clock.now()
        )
        _set_fields(created, body)
        address = next((each for each in known if _get_fields(each) == _get_fields(created)), created)
        if address is created and len(known) >= MAX_ADDRESSES:
            raise ValidationFailed(
                line1=[Sentence("At most %(limit)s addresses can be saved. Delete one first.", limit=MAX_ADDRESSES)]
            )
        await _save_address(caller, address, body)
    return to_saved_address(address)


async def update_address(caller: Caller, address_id: int, body: AddressChange) -> SavedAddress:
    """Update the given fields of an address. Raises ``NotFound`` for another customer's."""
    async with sql.transaction():
        await profiles.get_own_customer(caller, locked=True)
        address = await get_address(caller, address_id)
        await _save_address(caller, address, body)
    return to_saved_address(address)


async def delete_address(caller: Caller, address_id: int) -> None:
    """Delete an address; if it was the default, the oldest remaining one becomes the default. Raises ``NotFound``."""
    async with sql.transaction():
        await profiles.get_own_customer(caller, locked=True)
        address = await get_address(caller, address_id)
        await address.delete()
        successor = await _filter_own(caller).order_by("id").first() if address.is_default else None
        if successor is not None:
            successor.is_default = True
            await successor.save(update_fields=["is_default"])


async def get_address(caller: Caller, address_id: int) -> Address:
    """Return one of the customer's addresses. Raises ``NotFound``."""
    found: Address | None = await _filter_own(caller).get_or_none(id=address_id)
    if found is None:
        raise NotFound
    return found


def to_text(address: Address) -> str:
    """Return an address as one line, as orders store it."""
    town = " ".join(part for part in (address.postcode, address.city) if part)
    parts = (address.line1, address.line2, town, address.region, address.country)
    return ", ".join(part for part in parts if part)[:MAX_ORDER_ADDRESS_LENGTH]


def to_order_fields(address: Address) -> dict[str, str | float | None]:
    """Return the address fields of an order for delivery to this address."""
    is_placed = address.lat is not None and address.lng is not None
    return {
        "address": to_text(address),
        "address_lat": address.lat if is_placed else None,
        "address_lng": address.lng if is_placed else None,
        "address_postcode": address.postcode,
        "address_instructions": address.instructions,
    }


def to_saved_address(address: Address) -> SavedAddress:
    """Return the record of an address."""
    return extend_record(SavedAddress, address, address=to_text(address))


async def _save_address(caller: Caller, address: Address, body: AddressChange) -> None:
    """Save an address with the given fields; the customer's row is locked."""
    _set_fields(address, body)
    if body.is_default and not address.is_default:
        await _filter_own(caller).filter(is_default=True).update(is_default=False)
        address.is_default = True
    await address.save()


def _set_fields(address: Address, body: AddressChange) -> None:
    for name in body.model_fields_set & set(ADDRESS_FIELDS):
        value = getattr(body, name)
        # The first line cannot be cleared.
        if value is not None or name != "line1":
            setattr(address, name, value or (None if isinstance(value, str) else value))
    if body.address is not None and body.line1 is None:
        address.line1 = body.address
        for name in {"line2", "city", "region", "postcode", "country"} - body.model_fields_set:
            setattr(address, name, None)


def _get_fields(address: Address) -> list[Any]:
    return [getattr(address, name) for name in ADDRESS_FIELDS]


def _filter_own(caller: Caller) -> Any:
    return Address.filter(owner_id=caller.owner_id, customer_id=caller.subject_id)
