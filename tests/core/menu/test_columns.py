"""What follows from the columns of a record."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

import pytest
from comanda.basics.errors import ValidationFailed
from comanda.contracts.requests.fields import Amount, Body, Name, Percent
from comanda.contracts.stores.menu_items import Code, Column
from comanda.menu import columns


@dataclass(frozen=True, slots=True)
class Dish:
    id: Annotated[int, Column(is_public=True)]
    name: Annotated[str, Column(Name, is_public=True)]
    tags: tuple[str, ...]
    code: Annotated[str | None, Column(Code, description="The code on the label.")]
    deposit_minor: Annotated[int | None, Column(Amount, is_public=True)]
    duty_ppm: Annotated[int | None, Column(Percent)]
    is_spicy: Annotated[bool, Column(bool, False, is_public=True, is_bulk=True)]
    is_frozen: Annotated[bool, Column(bool, True, is_imported=False, capability="freezer")]


SOUP = Dish(1, "Soup", ("hot",), None, 250, 88_750, False, True)


@columns.create_body(Dish)
class NewDish(Body):
    """A dish to create."""

    tags: list[str] = []


@columns.create_body(Dish, is_new=False)
class DishChange(Body):
    """Fields of a dish to change."""


def test_statement_and_reader_have_every_column():
    assert columns.build_object(Dish, "d", "owner_id", extras="NULL") == (
        "json_build_object('id', d.id, 'name', d.name, 'code', d.code, 'deposit_minor', d.deposit_minor, "
        "'duty_ppm', d.duty_ppm, 'is_spicy', d.is_spicy, 'is_frozen', d.is_frozen, 'owner_id', d.owner_id, "
        "'extras', NULL)"
    )
    row = {"is_frozen": True, **{name: getattr(SOUP, name) for name in Dish.__slots__}}
    assert Dish(*columns.build_reader(Dish)(row)) == SOUP


def test_json_has_what_owners_and_guests_see():
    owner = columns.build_json(Dish, columns.list_shown(Dish), "tags")
    guest = columns.build_json(Dish, columns.list_shown(Dish, is_public=True))
    file = columns.build_json(Dish, columns.list_imported(Dish), to_amount=lambda minor, _: f"{minor} minor")

    assert list(owner(SOUP, "EUR").items()) == [
        ("id", 1), ("name", "Soup"), ("tags", ("hot",)), ("code", None), ("deposit", 2.5), ("duty", 8.875),
        ("is_spicy", False),
    ]  # fmt: skip
    assert guest(SOUP, "JPY") == {"id": 1, "name": "Soup", "deposit": 250, "is_spicy": False}
    assert file(SOUP, "EUR")["deposit"] == "250 minor"
    assert file(SOUP, "EUR").keys() == {"name", "code", "deposit", "duty", "is_spicy"}


def test_bodies_have_what_clients_give():
    assert list(NewDish.model_fields) == ["name", "tags", "code", "deposit", "duty", "is_spicy", "is_frozen"]
    assert [name for name, field in NewDish.model_fields.items() if field.is_required()] == ["name"]
    assert NewDish.model_validate({"name": "Soup"}).model_dump(exclude={"name"}) == {
        "tags": [], "code": None, "deposit": None, "duty": None, "is_spicy": False, "is_frozen": True,
    }  # fmt: skip
    assert DishChange.model_validate({}).model_dump() == dict.fromkeys(NewDish.model_fields.keys() - {"tags"})
    assert DishChange.__doc__ == "Fields of a dish to change."


def test_bulk_bodies_files_and_arguments_have_their_fields():
    bulk = columns.create_bulk_body(Dish)(DishChange.__base__)
    file = columns.create_imported(Dish, Decimal, Decimal)(Body)
    arguments = columns.create_arguments(Dish)(Body)
    answer = columns.create_answer(Dish, is_public=True)(Body)

    assert list(bulk.model_fields) == ["is_spicy"]
    assert list(file.model_fields) == ["name", "code", "deposit", "duty", "is_spicy"]
    assert file.model_fields["deposit"].annotation == Decimal | None
    assert {name: each.description for name, each in arguments.model_fields.items()} == {
        "code": "The code on the label."
    }
    assert {name: each.annotation for name, each in answer.model_fields.items()} == {
        "id": int, "name": str, "deposit": float | None, "is_spicy": bool,
    }  # fmt: skip


def test_given_fields_become_columns():
    change = DishChange.model_validate(
        {"name": None, "code": " ", "deposit": 2.5, "duty": None, "is_spicy": None, "is_frozen": False}
    )

    assert columns.to_columns(Dish, change, "EUR") == {
        "code": None, "deposit_minor": 250, "duty_ppm": None, "is_frozen": False,
    }  # fmt: skip
    assert columns.to_columns(Dish, NewDish.model_validate({"name": "Soup"}), "EUR") == {"name": "Soup"}
    whole = columns.to_columns(Dish, NewDish.model_validate({"name": "Soup"}), "EUR", is_whole=True)
    assert (whole["is_spicy"], whole["deposit_minor"]) == (False, None)


def test_amount_that_the_currency_does_not_have_is_refused_at_its_place():
    change = DishChange.model_validate({"deposit": 0.123})

    with pytest.raises(ValidationFailed) as refused:
        columns.to_columns(Dish, change, "EUR", "dishes.2.")

    assert refused.value.errors.keys() == {"dishes.2.deposit"}
