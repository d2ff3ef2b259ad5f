"""Rows as records."""

from dataclasses import dataclass

import pytest
from comanda.platform.db import sql


@dataclass(frozen=True, slots=True)
class Item:
    name: str
    kind: str
    price_minor: int = 0


def test_record_has_the_columns_of_its_fields_and_more():
    row = {"name": "Pie", "kind": "food", "stock": 3}

    assert sql.to_record(Item, row) == Item("Pie", "food")
    assert sql.to_record(Item, row, kind="drink", price_minor=5) == Item("Pie", "drink", 5)


def test_record_needs_every_field_without_a_default():
    with pytest.raises(TypeError, match="kind"):
        sql.to_record(Item, {"name": "Pie"})
