"""Schemas as fields that people read."""

import pytest
from comanda.web.api_reference.schema_fields import SchemaReader

DEFINITIONS = {
    "Line": {
        "type": "object",
        "properties": {
            "quantity": {"type": "integer", "minimum": 1, "maximum": 99},
            "note": {
                "anyOf": [{"type": "string", "maxLength": 200}, {"type": "null"}],
                "description": "For the kitchen.",
            },
        },
        "required": ["quantity"],
    },
    "Node": {
        "type": "object",
        "properties": {"children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}}},
    },
    "State": {"type": "string", "enum": ["open", "closed"]},
}
LINE = {"$ref": "#/components/schemas/Line"}


def read(schema, **options):
    return SchemaReader(DEFINITIONS, **options).read(schema, "field")


def test_fields_of_an_object():
    quantity, note = SchemaReader(DEFINITIONS).list_fields(LINE)

    assert (quantity.name, quantity.type, quantity.is_required, quantity.is_nullable) == (
        "quantity",
        "integer",
        True,
        False,
    )
    assert quantity.limits == ["≥ 1", "≤ 99"]
    assert (note.name, note.type, note.is_required, note.is_nullable) == ("note", "string", False, True)
    assert (note.description, note.limits) == ("For the kitchen.", ["characters: at most 200"])


def test_an_array_of_objects_has_their_fields():
    found = read({"type": "array", "items": LINE, "minItems": 1})

    assert (found.type, found.model, found.limits) == ("array of objects", "Line", ["entries: at least 1"])
    assert [field.name for field in found.fields] == ["quantity", "note"]


def test_an_object_that_contains_itself_is_unfolded_once():
    children = SchemaReader(DEFINITIONS).list_fields({"$ref": "#/components/schemas/Node"})[0]

    assert (children.model, children.is_repeated, children.fields) == ("Node", True, [])


def test_an_object_with_a_place_of_its_own_is_linked():
    found = read({"type": "array", "items": LINE}, anchors={"Line": "object-Line"})

    assert (found.anchor, found.fields) == ("object-Line", [])


def test_one_of_several_objects_lists_them():
    found = read({"oneOf": [LINE, {"type": "array", "items": LINE}, {"type": "null"}]})

    assert (found.type, found.is_nullable) == ("object or array of objects", True)
    assert [option.model for option in found.options] == ["Line", "Line"]


@pytest.mark.parametrize(
    ("schema", "type_", "choices"),
    [
        ({"$ref": "#/components/schemas/State"}, "string", ["open", "closed"]),
        ({"type": "array", "items": {"$ref": "#/components/schemas/State"}}, "array of strings", ["open", "closed"]),
        ({"const": "order.paid"}, "constant", ["order.paid"]),
        ({"type": "string", "format": "date-time"}, "time", []),
        ({"type": "string", "format": "binary"}, "file", []),
        ({"anyOf": [{"type": "number"}, {"type": "string"}]}, "number or string", []),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "map of strings to integers", []),
        ({}, "any value", []),
    ],
)
def test_a_type_in_words(schema, type_, choices):
    found = read(schema)

    assert (found.type, found.choices) == (type_, choices)


def test_a_default_is_told_from_none():
    assert (read({"type": "integer", "default": 0}).has_default, read({"type": "integer"}).has_default) == (True, False)


def test_bounds_that_every_number_has_are_left_out():
    assert read({"type": "integer", "minimum": 0, "maximum": 2**53}).limits == ["≥ 0"]
