"""Orders as HubRise has them, parsed and bounded. Source: HubRise's API reference, *Orders*."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.basics import money, to_ppm
from comanda_foreign_orders.api import (
    Fee,
    ForeignOrder,
    Guest,
    InvalidOrder,
    OrderedItem,
    OrderedOption,
    find_number,
    list_objects,
    parse_moment,
    parse_quantity,
    text,
    to_object,
)

MAX_NAME: Final = 255
MAX_REF: Final = 100
MAX_TEXT: Final = 1000
AMOUNT: Final = re.compile(r"(-?[0-9]{1,12}(?:\.[0-9]{1,4})?) ([A-Z]{3})", re.ASCII)
DELIVERY: Final = "delivery"
UNTAXED: Final = ("tip", "tax")


def get_status(document: Mapping[str, Any]) -> str:
    """Return the status of an order."""
    return text(document, "status", 20)


def get_summary(document: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return channel, reference and total of an order, as far as they can be read."""
    return text(document, "created_by", MAX_REF), text(document, "ref", MAX_REF), text(document, "total", 30)


def parse_order(document: Mapping[str, Any], currency: str, cash_refs: Sequence[str] = ()) -> ForeignOrder:
    """Parse an order whose amounts have to be in ``currency``. Raises ``InvalidOrder``.

    All payments count as collected but those in cash, which the store or its driver collects.
    """
    items = tuple([_parse_item(each, currency) for each in _list(document, "items")])
    if not items:
        raise InvalidOrder("The order has no items.")
    channel, ref, _ = get_summary(document)
    code = text(document, "collection_code", MAX_REF)
    due = {"cash", *(each.casefold() for each in cash_refs)}
    payments = [_parse_payment(each, currency) for each in _list(document, "payments")]
    return ForeignOrder(
        title=" ".join(part for part in (channel, code or ref) if part),
        service_type=text(document, "service_type", 20),
        expected_at=parse_moment(document.get("expected_time")),
        is_asap=document.get("asap") is True,
        total_minor=_parse_amount(document.get("total"), currency, "total"),
        paid_minor=max(0, sum(amount_minor for names, amount_minor in payments if not names & due)),
        items=items,
        fees=tuple([_parse_fee(each, currency) for each in _list(document, "charges")]),
        reductions=tuple(
            [
                (text(each, "name", MAX_NAME), _parse_amount(each.get("price_off"), currency, "discount"))
                for each in _list(document, "discounts")
            ]
        ),
        guest=_parse_guest(document.get("customer")),
        note=text(document, "customer_notes", MAX_TEXT),
        table_number=text(to_object(document.get("custom_fields")), "table_number", 20),
        attributes={"id": text(document, "id", 40), "channel": channel, "ref": ref, "code": code},
    )


def _parse_item(item: Mapping[str, Any], currency: str) -> OrderedItem:
    name = " ".join(part for part in (text(item, "product_name", MAX_NAME), text(item, "sku_name", MAX_NAME)) if part)
    return OrderedItem(
        ref=text(item, "sku_ref", MAX_REF),
        name=name or "?",
        price_minor=_parse_price(item.get("price"), currency, name),
        quantity=parse_quantity(item.get("quantity"), name),
        note=text(item, "customer_notes", MAX_TEXT),
        options=tuple([_parse_option(each, currency) for each in _list(item, "options")]),
    )


def _parse_option(option: Mapping[str, Any], currency: str) -> OrderedOption:
    name, price = text(option, "name", MAX_NAME), option.get("price")
    return OrderedOption(
        ref=text(option, "ref", MAX_REF),
        name=name or "?",
        price_minor=0 if price is None else _parse_amount(price, currency, name),
        quantity=1 if option.get("quantity") is None else parse_quantity(option["quantity"], name),
        is_removed=option.get("removed") is True,
    )


def _parse_fee(charge: Mapping[str, Any], currency: str) -> Fee:
    name, rate = text(charge, "name", MAX_NAME) or "Charge", charge.get("tax_rate")
    return Fee(
        name=name,
        amount_minor=_parse_amount(charge.get("price"), currency, name),
        is_delivery=charge.get("type") == DELIVERY,
        is_taxed=charge.get("type") not in UNTAXED,
        tax_rate_ppm=None if rate is None else _parse_rate(rate, name),
    )


def _parse_payment(payment: Mapping[str, Any], currency: str) -> tuple[frozenset[str], int]:
    names = {text(payment, key, MAX_REF).casefold() for key in ("ref", "type")}
    return frozenset(names - {""}), _parse_amount(payment.get("amount"), currency, "payment")


def _parse_guest(found: object) -> Guest:
    guest = to_object(found)
    names = [text(guest, key, 100) for key in ("first_name", "last_name")]
    place = " ".join(part for key in ("postal_code", "city") if (part := text(guest, key, 50)))
    address = [text(guest, "address_1", 150), text(guest, "address_2", 150), place]
    phone, code = text(guest, "phone", 30), text(guest, "phone_access_code", 10)
    return Guest(
        name=" ".join(name for name in names if name),
        phone=f"{phone} ({code})" if phone and code else phone,
        address=", ".join(part for part in address if part),
        postcode=text(guest, "postal_code", 20),
        position=_parse_position(guest),
        delivery_note=text(guest, "delivery_notes", 500),
    )


def _parse_position(guest: Mapping[str, Any]) -> tuple[float, float] | None:
    latitude, longitude = (find_number(guest.get(key)) for key in ("latitude", "longitude"))
    if latitude is None or longitude is None or abs(latitude) > 90 or abs(longitude) > 180:
        return None
    return float(latitude), float(longitude)


def _parse_amount(value: object, currency: str, what: str) -> int:
    found = AMOUNT.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise InvalidOrder(f"{what}: the amount cannot be read.")
    if found[2] != currency:
        raise InvalidOrder(f"{what}: the amount is in {found[2]}, and the store's currency is {currency}.")
    try:
        return money.to_minor(found[1], currency)
    except ValueError as error:
        raise InvalidOrder(f"{what}: {error}") from error


def _parse_price(value: object, currency: str, what: str) -> int:
    amount_minor = _parse_amount(value, currency, what)
    if amount_minor < 0:
        raise InvalidOrder(f"{what}: the price is negative.")
    return amount_minor


def _parse_rate(value: object, what: str) -> int:
    number = find_number(value)
    try:
        if number is None or not 0 <= number <= 100:
            raise ValueError
        return to_ppm(number)
    except ValueError as error:
        raise InvalidOrder(f"{what}: the tax rate cannot be read.") from error


def _list(found: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    """Return the elements of a list that were not deleted."""
    return [each for each in list_objects(found, key) if each.get("deleted") is not True]
