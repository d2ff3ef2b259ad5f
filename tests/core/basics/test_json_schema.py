"""Corrections to the JSON Schemas that pydantic writes."""

from comanda.basics.json_schema import standardize_bounds


def test_bounds_are_written_in_one_order_by_every_process():
    bounds = {"max_length": 8, "min_length": 2, "lt": 9, "ge": 1, "type": "string"}

    assert list(standardize_bounds(bounds)) == ["type", "minimum", "exclusiveMaximum", "minLength", "maxLength"]
