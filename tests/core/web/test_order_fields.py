"""Inputs of pages for fields of plugins."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Literal

import pytest
from comanda.web import list_inputs
from pydantic import AwareDatetime, BaseModel, Field


class Size(StrEnum):
    SMALL = "small"
    EXTRA_LARGE = "extra_large"


class Rental(BaseModel):
    returned_at: AwareDatetime
    picked_up_at: datetime | None = None
    day: date | None = None
    days: Annotated[int, Field(ge=1, le=30)] = 1
    weight: float | None = None
    is_insured: bool = False
    size: Size | None = None
    side: Literal["left", "right"] = "left"
    note: Annotated[str, Field(max_length=80)] | None = Field(None, title="Anything else")
    driver_age: int = Field(18, alias="driverAge")
    depot: str = Field("", json_schema_extra={"x-choices-url": "/api/v1/rental/{store}/depots"})
    tariff: str = Field("", json_schema_extra={"x-choices": [{"value": "w", "label": "Weekend"}]})
    waived_by: str = Field("", json_schema_extra={"x-staff": True})
    voucher: str = Field("", json_schema_extra={"x-hidden": True})
    foreign: str = Field("", json_schema_extra={"x-choices-url": "https://elsewhere.example/depots"})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("returned_at", {"kind": "datetime", "required": True}),
        ("picked_up_at", {"kind": "datetime"}),
        ("day", {"kind": "date"}),
        ("days", {"kind": "number", "min": 1, "max": 30}),
        ("weight", {"kind": "number"}),
        ("is_insured", {"kind": "yes"}),
        (
            "size",
            {
                "kind": "choice",
                "choices": [{"value": "small", "label": "Small"}, {"value": "extra_large", "label": "Extra large"}],
            },
        ),
        (
            "side",
            {
                "kind": "choice",
                "choices": [{"value": "left", "label": "Left"}, {"value": "right", "label": "Right"}],
            },
        ),
        ("note", {"kind": "text", "label": "Anything else", "max_length": 80}),
        ("driverAge", {"kind": "number"}),
        ("depot", {"kind": "choice", "choices": [], "choices_url": "/api/v1/rental/{store}/depots"}),
        ("tariff", {"kind": "choice", "choices": [{"value": "w", "label": "Weekend"}]}),
        ("foreign", {"kind": "text"}),
    ],
)
def test_field_describes_its_input(name, expected):
    found = {each["name"]: each for each in list_inputs(Rental)}[name]

    assert {key: found[key] for key in found if key not in {"name", "label"}} | (
        {"label": found["label"]} if "label" in expected else {}
    ) == expected


def test_field_for_staff_is_an_input_of_theirs_alone():
    shown = [[each["name"] for each in list_inputs(Rental, is_staff=is_staff)] for is_staff in (False, True)]

    assert "waived_by" not in shown[0]
    assert shown[1] == [*shown[0][:-1], "waived_by", "foreign"]
