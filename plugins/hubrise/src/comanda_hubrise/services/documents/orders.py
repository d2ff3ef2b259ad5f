"""Orders as HubRise has them, parsed and bounded. Source: HubRise's API reference, *Orders*."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from comanda.basics import money, to_ppm

MAX_ELEMENTS: Final = 200  # items, and options of an item, charges, discounts, payments
MAX_NAME: Final = 255
MAX_REF: Final = 100
MAX_TEXT: Final = 1000
MAX_QUANTITY: Final = 999
AMOUNT: Final = re.compile(r"(-?[0-9]{1,12}(?:\.[0-9]{1,4})?) ([A-Z]{3})", re.ASCII)
NUMBER: Final = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,6})?", re.ASCII)
DELIVERY: Final = "delivery"
UNTAXED: Final = ("tip", "tax")


class InvalidOrder(ValueError):
    """An order of HubRise cannot be understood; the message says why, for the owner."""


@dataclass(frozen=True, slots=True)
class OrderedOption:
    """A choice of an item: its reference and name, its price and how many of it one item has."""

    ref: str
    name: str
    price_minor: int
    quantity: int
    is_removed: bool


@dataclass(frozen=True, slots=True)
class OrderedItem:
    """An item of an order, with its price without options."""

    ref: str
    name: str
    price_minor: int
    quantity: int
    note: str
    options: tuple[OrderedOption, ...]

    @property
    def unit_price_minor(self) -> int:
        """The price of one with its options."""
        return self.price_minor + sum(option.price_minor * option.quantity for option in self.options)


@dataclass(frozen=True, slots=True)
class Fee:
    """A charge of an order, which may be negative; without ``tax_rate_ppm`` HubRise does not know its tax."""

    name: str
    amount_minor: int
    is_delivery: bool
    is_taxed: bool
    tax_rate_ppm: int | None


@dataclass(frozen=True, slots=True)
class Guest:
    """Who ordered, and where to."""

    name: str
    phone: str
    address: str
    postcode: str
    position: tuple[float, float] | None
    delivery_note: str


@dataclass(frozen=True, slots=True)
class OrderDocument:
    """An order as HubRise has it. ``total`` is its text, ``created_by`` the channel that it comes from.

    ``payments`` are the amounts by the lower-case references and kinds of their methods.
    """

    id: str
    status: str
    ref: str
    created_by: str
    code: str
    service_type: str
    expected_at: datetime | None
    is_asap: bool
    total: str
    total_minor: int
    items: tuple[OrderedItem, ...]
    fees: tuple[Fee, ...]
    reductions: tuple[tuple[str, int], ...]
    payments: tuple[tuple[frozenset[str], int], ...]
    guest: Guest
    note: str
    table_number: str


def get_status(document: Mapping[str, Any]) -> str:
    """Return the status of an order."""
    return _text(document, "status", 20)


def get_summary(document: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return channel, reference and total of an order, as far as they can be read."""
    return _text(document, "created_by", MAX_REF), _text(document, "ref", MAX_REF), _text(document, "total", 30)


def parse_order(document: Mapping[str, Any], currency: str) -> OrderDocument:
    """Parse an order whose amounts have to be in ``currency``. Raises ``InvalidOrder``."""
    items = tuple([_parse_item(each, currency) for each in _list(document, "items")])
    if not items:
        raise InvalidOrder("The order has no items.")
    return OrderDocument(
        id=_text(document, "id", 40),
        status=get_status(document),
        ref=_text(document, "ref", MAX_REF),
        created_by=_text(document, "created_by", MAX_REF),
        code=_text(document, "collection_code", MAX_REF),
        service_type=_text(document, "service_type", 20),
        expected_at=_parse_moment(document.get("expected_time")),
        is_asap=document.get("asap") is True,
        total=_text(document, "total", 30),
        total_minor=_parse_amount(document.get("total"), currency, "total"),
        items=items,
        fees=tuple([_parse_fee(each, currency) for each in _list(document, "charges")]),
        reductions=tuple(
            [
                (_text(each, "name", MAX_NAME), _parse_amount(each.get("price_off"), currency, "discount"))
                for each in _list(document, "discounts")
            ]
        ),
        payments=tuple([_parse_payment(each, currency) for each in _list(document, "payments")]),
        guest=_parse_guest(document.get("customer")),
        note=_text(document, "customer_notes", MAX_TEXT),
        table_number=_text(_object(document.get("custom_fields")), "table_number", 20),
    )


def _parse_item(item: Mapping[str, Any], currency: str) -> OrderedItem:
    name = " ".join(part for part in (_text(item, "product_name", MAX_NAME), _text(item, "sku_name", MAX_NAME)) if part)
    return OrderedItem(
        ref=_text(item, "sku_ref", MAX_REF),
        name=name or "?",
        price_minor=_parse_price(item.get("price"), currency, name),
        quantity=_parse_quantity(item.get("quantity"), name),
        note=_text(item, "customer_notes", MAX_TEXT),
        options=tuple([_parse_option(each, currency) for each in _list(item, "options")]),
    )


def _parse_option(option: Mapping[str, Any], currency: str) -> OrderedOption:
    name, price = _text(option, "name", MAX_NAME), option.get("price")
    return OrderedOption(
        ref=_text(option, "ref", MAX_REF),
        name=name or "?",
        price_minor=0 if price is None else _parse_amount(price, currency, name),
        quantity=1 if option.get("quantity") is None else _parse_quantity(option["quantity"], name),
        is_removed=option.get("removed") is True,
    )


def _parse_fee(charge: Mapping[str, Any], currency: str) -> Fee:
    name, rate = _text(charge, "name", MAX_NAME) or "Charge", charge.get("tax_rate")
    return Fee(
        name=name,
        amount_minor=_parse_amount(charge.get("price"), currency, name),
        is_delivery=charge.get("type") == DELIVERY,
        is_taxed=charge.get("type") not in UNTAXED,
        tax_rate_ppm=None if rate is None else _parse_rate(rate, name),
    )


def _parse_payment(payment: Mapping[str, Any], currency: str) -> tuple[frozenset[str], int]:
    names = {_text(payment, key, MAX_REF).casefold() for key in ("ref", "type")}
    return frozenset(names - {""}), _parse_amount(payment.get("amount"), currency, "payment")


def _parse_guest(found: object) -> Guest:
    guest = _object(found)
    names = [_text(guest, key, 100) for key in ("first_name", "last_name")]
    place = " ".join(part for key in ("postal_code", "city") if (part := _text(guest, key, 50)))
    address = [_text(guest, "address_1", 150), _text(guest, "address_2", 150), place]
    phone, code = _text(guest, "phone", 30), _text(guest, "phone_access_code", 10)
    return Guest(
        name=" ".join(name for name in names if name),
        phone=f"{phone} ({code})" if phone and code else phone,
        address=", ".join(part for part in address if part),
        postcode=_text(guest, "postal_code", 20),
        position=_parse_position(guest),
        delivery_note=_text(guest, "delivery_notes", 500),
    )


def _parse_position(guest: Mapping[str, Any]) -> tuple[float, float] | None:
    latitude, longitude = (_find_number(guest.get(key)) for key in ("latitude", "longitude"))
    if latitude is None or longitude is None or abs(latitude) > 90 or abs(longitude) > 180:
        return None
    return float(latitude), float(longitude)


def _parse_amount(text: object, currency: str, what: str) -> int:
    found = AMOUNT.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise InvalidOrder(f"{what}: the amount cannot be read.")
    if found[2] != currency:
        raise InvalidOrder(f"{what}: the amount is in {found[2]}, and the store's currency is {currency}.")
    try:
        return money.to_minor(found[1], currency)
    except ValueError as error:
        raise InvalidOrder(f"{what}: {error}") from error


def _parse_price(text: object, currency: str, what: str) -> int:
    amount_minor = _parse_amount(text, currency, what)
    if amount_minor < 0:
        raise InvalidOrder(f"{what}: the price is negative.")
    return amount_minor


def _parse_quantity(value: object, what: str) -> int:
    number = _find_number(value)
    if number is None or number != number.to_integral_value() or not 1 <= number <= MAX_QUANTITY:
        raise InvalidOrder(f"{what}: the quantity must be a whole number from 1 to {MAX_QUANTITY}.")
    return int(number)


def _parse_rate(value: object, what: str) -> int:
    number = _find_number(value)
    try:
        if number is None or not 0 <= number <= 100:
            raise ValueError
        return to_ppm(number)
    except ValueError as error:
        raise InvalidOrder(f"{what}: the tax rate cannot be read.") from error


def _find_number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value)
    try:
        return Decimal(text) if NUMBER.fullmatch(text) else None
    except InvalidOperation:
        return None


def _parse_moment(text: object) -> datetime | None:
    if not isinstance(text, str) or len(text) > 40:
        return None
    try:
        moment = datetime.fromisoformat(text)
        return None if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _text(found: Mapping[str, Any], key: str, limit: int) -> str:
    value = found.get(key)
    # PostgreSQL cannot store NUL in text.
    return value.replace("\0", "").strip()[:limit] if isinstance(value, str) else ""


def _object(found: object) -> Mapping[str, Any]:
    return found if isinstance(found, dict) else {}


def _list(found: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    """Return the elements of a list that were not deleted."""
    values = found.get(key)
    elements = [each for each in values if isinstance(each, dict)] if isinstance(values, list) else []
    if len(elements) > MAX_ELEMENTS:
        raise InvalidOrder(f"The order has more than {MAX_ELEMENTS} {key}.")
    return [each for each in elements if each.get("deleted") is not True]
