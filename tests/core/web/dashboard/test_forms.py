"""Values of forms as routes take them."""

from zoneinfo import ZoneInfo

import pytest
from comanda.basics.errors import ValidationFailed
from comanda.web.dashboard.forms import Form, read_values
from pydantic import BaseModel, Field

LISBON = ZoneInfo("Europe/Lisbon")


class Window(BaseModel):
    """Hours."""

    opens: str = ""
    minutes: int = 0


class Body(BaseModel):
    """One field of each kind."""

    name: str = Field(max_length=20)
    count: int | None = None
    price: float = 0
    is_open: bool = True
    kinds: list[str] = []
    windows: list[Window] = []
    labels: dict[str, str] = {}
    starts_at: str | None = Field(None, json_schema_extra={"format": "date-time"})


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([("name", "a")], {"name": "a"}),
        ([("name", ""), ("price", "")], {"name": ""}),
        ([("count", "")], {"count": None}),
        ([("count", "12"), ("price", "2,50")], {"count": 12, "price": 2.5}),
        ([("count", "many")], {"count": "many"}),
        ([("count", "\u0661\u0662"), ("price", "\u0662\u066b\u0665")], {"count": 12, "price": 2.5}),
        ([("price", "1.234,50")], {"price": 1234.5}),
        ([("price", "1,200")], {"price": "1,200"}),
        ([("is_open", "false")], {"is_open": False}),
        ([("is_open", "false"), ("is_open", "true")], {"is_open": True}),
        ([("kinds", "")], {"kinds": []}),
        ([("kinds", ""), ("kinds", "x"), ("kinds", "y")], {"kinds": ["x", "y"]}),
        (
            [("windows.1.minutes", "3"), ("windows.0.opens", "09:00")],
            {"windows": [{"opens": "09:00"}, {"minutes": 3}]},
        ),
        ([("labels.en", "Hi")], {"labels": {"en": "Hi"}}),
        ([("starts_at", "2026-07-01T10:30")], {"starts_at": "2026-07-01T10:30:00+01:00"}),
        ([("csrf_token", "x"), ("_tab", "1")], {}),
    ],
)
def test_values_are_read_by_schema(pairs, expected):
    assert read_values(pairs, Body, LISBON) == expected


async def test_ambiguous_amount_is_refused_with_an_explanation():
    async def send(values):
        raise ValidationFailed(price=["Must be a number."], count=["Must be a number."])

    form = Form(Body, LISBON, {"price": "1,200", "count": "x"}, send=send)

    assert await form.submit() is None
    assert form.errors == {
        "price": ["This could mean two amounts. Write it without separators of thousands, such as 1200 or 1.20."],
        "count": ["Must be a number."],
    }


@pytest.mark.parametrize("pairs", [[("a.b", "1"), ("a", "2")], [("a", "2"), ("a.b", "1")], [("...", "1")], [("", "")]])
def test_strange_names_are_no_error(pairs):
    assert isinstance(read_values(pairs, Body, LISBON), dict)


def test_field_describes_its_input():
    form = Form(Body, LISBON, {"starts_at": "2026-07-01T09:30:00+00:00"}, errors={"count": ["Wrong."], "x": ["Lost."]})

    name, count = form.get_field("name"), form.get_field("count")

    assert (name.kind, name.is_required, name.max_length) == ("text", True, 20)
    assert (count.kind, count.is_required, count.errors) == ("integer", False, ("Wrong.",))
    assert form.get_field("starts_at").value == "2026-07-01T10:30"
    assert form.errors_left == [("x", "Lost.")]
