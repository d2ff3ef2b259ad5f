"""The body of an order to place."""

from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from comanda.contracts.requests.fields import Body, Count, Id, Moment, Number, ShortText, Text, example
from comanda.contracts.requests.idempotency import MAX_KEY_LENGTH, is_key
from comanda.contracts.requests.numbers import normalize_digits


def _table_number(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _key(text: str) -> str:
    if not is_key(text):
        raise ValueError(f"must have 1 to {MAX_KEY_LENGTH} visible characters")
    return text


ClientKey = Annotated[str, Field(max_length=MAX_KEY_LENGTH), AfterValidator(_key)]
TableNumber = Annotated[ShortText, Field(max_length=20), BeforeValidator(_table_number)]

WEIGHT_DECIMALS: Final = 3


def _milligrams(weight_g: float) -> float:
    if round(weight_g, WEIGHT_DECIMALS) != weight_g:
        raise ValueError(f"must have at most {WEIGHT_DECIMALS} decimals")
    return weight_g


# Finer than scales are, as a label with a price on it has to give that price again.
Weight = Annotated[Number, Field(ge=1, le=1_000_000), AfterValidator(_milligrams)]
Seat = Annotated[Count, Field(ge=1, le=99)]


class LineBody(Body):
    """A line of an order to place."""

    item_id: Id
    quantity: Annotated[Count, Field(ge=1)] = 1
    variation: Id | None = None
    extras: Annotated[list[Id], Field(max_length=100)] = []
    note: Text | None = None
    seat: Annotated[Seat | None, Field(description="The seat at the table that the line is for.")] = None
    course: Annotated[Seat | None, Field(description="The course that the line belongs to.")] = None
    weight_g: Annotated[
        Weight | None, Field(description="What one piece weighs, in grams, of an item that is sold by weight.")
    ] = None

    @property
    def weight_mg(self) -> int | None:
        """The weight as a whole number, in milligrams."""
        return None if self.weight_g is None else round(self.weight_g * 10**WEIGHT_DECIMALS)


class OrderBody(Body):
    """An order to place. Prices come from the menu; any that a client sends are ignored.

    Fields of the order's mode, and of the plugins that take part in such orders, may stand beside these.
    """

    model_config = ConfigDict(
        extra="allow",
        allow_inf_nan=False,
        **example(
            {
                "type": "takeaway",
                "customer_name": "Ana Silva",
                "phone": "+351912345678",
                "note": "No cutlery, please",
                "items": [{"item_id": 1, "quantity": 2, "variation": 3, "extras": [5], "note": "Well done"}],
            }
        ),
    )

    type: Annotated[str, Field(max_length=30)]
    items: Annotated[list[LineBody], Field(min_length=1)]
    customer_name: ShortText | None = None
    phone: Annotated[ShortText, Field(max_length=50), AfterValidator(normalize_digits)] | None = None
    address: Annotated[Text, Field(max_length=500)] | None = None
    table_number: TableNumber | None = None
    room_number: TableNumber | None = None
    scheduled_for: Moment | None = None
    tip_amount: Annotated[Number, Field(ge=0)] = 0
    note: Text | None = None
    source: Annotated[ShortText, Field(max_length=50)] | None = None
    client_uuid: ClientKey | None = None
    coupon_code: Annotated[ShortText, Field(max_length=32)] | None = None
