"""Conversion of records into what clients receive."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from comanda.basics.encoding import to_json
from comanda.basics.money import Money
from comanda.contracts.requests.paging import Page, PageRequest
from comanda.contracts.requests.wire import MoneyNumber, MoneyText, StoreId, to_wire
from pydantic import BaseModel, Field, ValidationError


@dataclass(frozen=True, slots=True)
class Fee:
    store_id: int
    amount: Money
    owner_id: int = 7
    note: str | None = None
    since: datetime = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


class FeeOut(BaseModel):
    restaurant_id: StoreId
    amount: MoneyNumber
    since: datetime
    note: str | None = Field(exclude_if=lambda note: note is None)


def encode(declared: Any, result: object) -> Any:
    return orjson.loads(to_json(to_wire(declared, result)))


def test_record_has_the_declared_fields_only() -> None:
    assert encode(FeeOut, Fee(3, Money(1250, "EUR"), note="late")) == {
        "restaurant_id": 3,
        "amount": 12.5,
        "since": "2026-01-02T03:04:00+00:00",
        "note": "late",
    }


def test_excluded_field_is_absent() -> None:
    assert "note" not in encode(FeeOut, Fee(3, Money(1250, "EUR")))


def test_amount_without_decimals_is_an_integer() -> None:
    assert to_json(to_wire(FeeOut, Fee(3, Money(1250, "JPY")))).startswith(b'{"restaurant_id":3,"amount":1250,')


def test_lists_and_pages_of_records_are_converted() -> None:
    fees = [Fee(3, Money(1, "EUR")), Fee(4, Money(2, "EUR"))]

    assert [fee["amount"] for fee in encode(list[FeeOut], fees)] == [0.01, 0.02]
    page = encode(Page[FeeOut], PageRequest(2, 2).of(fees, 5))
    assert [fee["restaurant_id"] for fee in page.pop("data")] == [3, 4]
    assert page == {"current_page": 2, "last_page": 3, "per_page": 2, "total": 5}


def test_json_is_returned_unchanged() -> None:
    document = {"any": "thing"}

    assert to_wire(FeeOut, document) is document
    assert to_wire(FeeOut, None) is None


def test_record_without_a_declared_field_is_rejected() -> None:
    class More(FeeOut):
        color: str

    with pytest.raises(ValidationError, match="color"):
        to_wire(More, Fee(3, Money(1, "EUR")))


def test_money_text_is_a_decimal_string() -> None:
    class Text(BaseModel):
        amount: MoneyText

    assert encode(Text, Fee(3, Money(1250, "EUR"))) == {"amount": "12.50"}
    assert Text.model_json_schema(mode="serialization")["properties"]["amount"]["type"] == "string"
    assert FeeOut.model_json_schema(mode="serialization")["properties"]["amount"]["type"] == "number"
