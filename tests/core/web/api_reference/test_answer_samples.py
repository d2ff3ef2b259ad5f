"""Samples of answers are such as the API promises, for every operation."""

import pytest
from comanda.web.api_reference.answer_samples import AnswerSamples
from comanda.web.api_reference.catalog import EVENTS, Catalog
from installed_plugins import get_registry
from jsonschema import Draft202012Validator

CATALOG = Catalog(get_registry())


@pytest.mark.parametrize("section", [section.name for section in CATALOG.sections if section.name != EVENTS])
def test_samples_fit_their_schemas(section):
    content = CATALOG.read(section)
    samples = AnswerSamples(content.schemas)
    checked = 0
    for operation in content.operations:
        for response in operation["responses"].values():
            schema = response.get("content", {}).get("application/json", {}).get("schema")
            if schema is not None:
                whole = {**schema, "components": {"schemas": content.schemas}}
                problems = Draft202012Validator(whole).iter_errors(samples.create(schema))
                assert [error.message for error in problems] == [], operation["operationId"]
                checked += 1
    assert checked >= len(content.operations) // 2


def test_the_sample_of_an_order_adds_up():
    order = AnswerSamples(CATALOG.read("orders").schemas).create({"$ref": "#/components/schemas/OrderOut"})

    assert order["type"] == "takeaway"
    assert order["subtotal"] == order["total"] == order["amount_due"] == 25
    assert order["discount_total"] == order["paid_total"] == order["refunded_total"] == 0
    assert sum(line["line_total"] for line in order["items"]) == order["subtotal"]
    line = order["items"][0]
    assert (line["name"], line["quantity"] * line["unit_price"]) == ("Minestrone", line["line_total"])
    assert order["is_paid"] is False


def test_an_object_that_contains_itself_ends():
    definitions = {
        "Node": {
            "type": "object",
            "properties": {
                "id": {"type": "integer"},
                "parent": {"anyOf": [{"$ref": "#/components/schemas/Node"}, {"type": "null"}]},
                "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
            },
            "required": ["id", "parent", "children"],
        }
    }

    sample = AnswerSamples(definitions).create({"$ref": "#/components/schemas/Node"})

    assert sample == {"id": 1042, "parent": None, "children": []}


@pytest.mark.parametrize(
    ("schema", "sample"),
    [
        ({"type": "string", "enum": ["b", "a"]}, "b"),
        ({"const": "x"}, "x"),
        ({"type": "integer", "minimum": 5}, 5),
        ({"type": "integer", "exclusiveMinimum": 1}, 2),
        ({"type": "number", "maximum": 0.5}, 0.5),
        ({"type": "string", "pattern": "^[A-Z]{3}$"}, "EUR"),
        ({"type": "string", "minLength": 9}, "trattoria-alba"),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2}, [1, 1]),
        ({"type": "object", "additionalProperties": {"type": "boolean"}}, {"takeaway": False}),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, 1),
    ],
)
def test_a_sample_of_a_schema(schema, sample):
    assert AnswerSamples({}).create(schema) == sample
