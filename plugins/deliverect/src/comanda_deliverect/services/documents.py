"""Orders as Deliverect has them, parsed and bounded. Source: Deliverect's documentation, *POS Order Model*."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from comanda.basics import money
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
MAX_OPTIONS: Final = 200
MAX_DECIMALS: Final = 4
DELIVERY: Final = "delivery"
# Pickup, delivery, eat in, and curbside.
SERVICE_TYPES: Final[Mapping[object, str]] = {1: "collection", 2: DELIVERY, 3: "eat_in", 4: "collection"}
# Who brings the order, if that is the store itself.
OWN_COURIER: Final = ("", "restaurant")
FEES: Final = (("deliveryCost", "Delivery"), ("serviceCharge", "Service charge"), ("tip", "Tip"))


def parse_order(document: Mapping[str, Any], currency: str) -> ForeignOrder:
    """Parse an order. Deliverect does not say in which currency it is. Raises ``InvalidOrder``."""
    amounts = _Amounts(document, currency)
    items = tuple([_parse_item(each, amounts) for each in list_objects(document, "items")])
    if not items:
        raise InvalidOrder("The order has no items.")
    total_minor = amounts.parse(to_object(document.get("payment")).get("amount"), "payment")
    reduction_minor = -amounts.parse(document.get("discountTotal") or 0, "discountTotal")
    ref = text(document, "channelOrderDisplayId", MAX_REF) or text(document, "channelOrderId", MAX_REF)
    service_type = _get_service_type(document)
    sold_minor = sum(item.unit_price_minor * item.quantity for item in items) - reduction_minor
    tax_minor = amounts.parse(document.get("taxTotal") or 0, "taxTotal")
    # What the platform charges for itself, such as for its courier, is named but not part of the total.
    is_without_fees = sold_minor in {total_minor, total_minor - tax_minor}
    return ForeignOrder(
        title=f"Deliverect {ref}".strip(),
        service_type=service_type,
        expected_at=_get_moment(document, service_type),
        is_asap=document.get("deliveryIsAsap") is True,
        total_minor=total_minor,
        paid_minor=total_minor if document.get("orderIsAlreadyPaid") is True else 0,
        items=items,
        fees=() if is_without_fees else _parse_fees(document, amounts),
        reductions=(("", reduction_minor),),
        guest=_parse_guest(document),
        note=text(document, "note", MAX_TEXT),
        table_number=text(document, "table", 20) or text(document, "tableId", 20),
        attributes={
            "id": text(document, "_id", 40),
            "channel_order_id": text(document, "channelOrderId", MAX_REF),
            "ref": ref,
        },
    )


class _Amounts:
    """Reads amounts, which are whole numbers with as many decimals as the order says."""

    def __init__(self, document: Mapping[str, Any], currency: str) -> None:
        digits = document.get("decimalDigits", 2)
        if isinstance(digits, bool) or not isinstance(digits, int) or not 0 <= digits <= MAX_DECIMALS:
            raise InvalidOrder("decimalDigits: the number cannot be read.")
        self._digits, self._currency = digits, currency

    def parse(self, value: object, what: str) -> int:
        """Return an amount in minor units. Raises ``InvalidOrder``."""
        number = find_number(value)
        if number is None or number != number.to_integral_value():
            raise InvalidOrder(f"{what}: the amount cannot be read.")
        try:
            return money.to_minor(f"{number * Decimal(1).scaleb(-self._digits):f}", self._currency)
        except ValueError as error:
            raise InvalidOrder(f"{what}: {error}") from error

    def parse_price(self, value: object, what: str) -> int:
        """Return an amount that is not below 0. Raises ``InvalidOrder``."""
        amount_minor = self.parse(value, what)
        if amount_minor < 0:
            raise InvalidOrder(f"{what}: the price is negative.")
        return amount_minor


def _parse_item(item: Mapping[str, Any], amounts: _Amounts) -> OrderedItem:
    name = text(item, "name", MAX_NAME) or "?"
    return OrderedItem(
        ref=text(item, "plu", MAX_REF),
        name=name,
        price_minor=amounts.parse_price(item.get("price"), name),
        quantity=parse_quantity(item.get("quantity"), name),
        note=text(item, "remark", MAX_TEXT),
        options=tuple(_list_options(item, amounts)),
    )


def _list_options(item: Mapping[str, Any], amounts: _Amounts) -> list[OrderedOption]:
    """Return the choices of one item, and those of the choices, whose quantities are for one of what has them."""
    options: list[OrderedOption] = []
    rest = [(each, 1) for each in list_objects(item, "subItems")]
    while rest:
        found, factor = rest.pop(0)
        name = text(found, "name", MAX_NAME) or "?"
        quantity = parse_quantity(found.get("quantity", 1), name) * factor
        price_minor = amounts.parse_price(found.get("price") or 0, name)
        options.append(OrderedOption(text(found, "plu", MAX_REF), name, price_minor, quantity, is_removed=False))
        rest += [(each, quantity) for each in list_objects(found, "subItems")]
        if sum(option.quantity for option in options) + len(rest) > MAX_OPTIONS:
            raise InvalidOrder(f"{text(item, 'name', MAX_NAME)}: there are more than {MAX_OPTIONS} options.")
    return options


def _parse_fees(document: Mapping[str, Any], amounts: _Amounts) -> tuple[Fee, ...]:
    found = [(key, name, amounts.parse(document.get(key) or 0, key)) for key, name in FEES]
    return tuple(
        [
            Fee(name, minor, is_delivery=key == "deliveryCost", is_taxed=key != "tip", tax_rate_ppm=None)
            for key, name, minor in found
            if minor
        ]
    )


def _get_service_type(document: Mapping[str, Any]) -> str:
    """Return how the store serves an order: one that the platform's courier brings is collected."""
    number = document.get("orderType")
    service_type = SERVICE_TYPES.get(number, "") if isinstance(number, int) else ""
    is_own = text(to_object(document.get("courier")), "deliveryBy", 20) in OWN_COURIER
    return "collection" if service_type == DELIVERY and not is_own else service_type


def _get_moment(document: Mapping[str, Any], service_type: str) -> datetime | None:
    moments = [parse_moment(document.get(key)) for key in ("deliveryTime", "pickupTime")]
    return (moments[0] or moments[1]) if service_type == DELIVERY else moments[1]


def _parse_guest(document: Mapping[str, Any]) -> Guest:
    guest, address = to_object(document.get("customer")), to_object(document.get("deliveryAddress"))
    street = " ".join(part for key in ("street", "streetNumber") if (part := text(address, key, 150)))
    place = " ".join(part for key in ("postalCode", "city") if (part := text(address, key, 50)))
    phone, code = text(guest, "phoneNumber", 30), text(guest, "phoneAccessCode", 10)
    return Guest(
        name=text(guest, "name", 200),
        phone=f"{phone} ({code})" if phone and code else phone,
        address=", ".join(part for part in (street, place) if part),
        postcode=text(address, "postalCode", 20),
        position=None,
        delivery_note=text(address, "extraAddressInfo", 500),
    )
