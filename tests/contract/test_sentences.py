"""What is wrong with a request is said in words that people know: no name of Python's, whatever was sent."""

import re
from enum import Enum
from typing import Any, get_args

import pytest
from comanda.basics.errors import BadRequest, ValidationFailed
from comanda.contracts.requests.validation import error_sentences, parse_body, parse_query
from comanda.devkit.testing.client import PYTHON
from installed_plugins import get_registry
from pydantic import BaseModel, ValidationError, create_model
from pydantic_core import to_json
from sweep import sweep

HOSTILE: list[Any] = [
    None, True, 0, -1, 2**70, 0.5, -0.1, 1e300, "", " ", "x", "x" * 5000, "no such value", "2026-02-30", "25:99", "-",
    [], [None], ["x"], [{}], {}, {"x": "y"}, {"": {}}, [[]], [1] * 600, "2026-01-01T00:00:00", "99999-01-01",
]  # fmt: skip
# The words of a sentence that validators of ours write; what pydantic writes begins otherwise.
OPENING = re.compile(r"(Must|Needs|This|There|An? |Only|Give|Send|Name|Say|At most|Has )")


def models_in(annotation: Any) -> set[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {annotation}
    return {model for argument in get_args(annotation) for model in models_in(argument)}


def documents(model: type[BaseModel], depth: int = 3) -> list[dict[str, Any]]:
    """Documents that are wrong in each field, at any depth."""
    found: list[dict[str, Any]] = [{}]
    for name, field in model.model_fields.items():
        key = field.alias or name
        found += [{key: value} for value in HOSTILE]
        if depth:
            inner = [document for each in models_in(field.annotation) for document in documents(each, depth - 1)]
            found += [{key: document} for document in inner] + [{key: [document]} for document in inner]
    return found


def check(errors: dict[str, list[str]], model: type[BaseModel]) -> None:
    for field, texts in errors.items():
        for text in texts:
            assert not PYTHON.search(text), (model, field, text)
            assert "<" not in text, (model, field, text)
            assert text.endswith("."), (model, field, text)
            assert OPENING.match(text), (model, field, text)


def named(model: type[BaseModel]) -> str:
    return f"{model.__module__}.{model.__name__}"


def test_a_wrong_body_is_told_in_plain_words():
    registry = get_registry()
    bodies = {route.binding.body for route in registry.routes if route.binding.body is not None}
    fields = {capability.fields for capability in registry.item_capabilities.values()}
    fields |= {mode.fields for mode in registry.fulfillment_modes.values() if mode.fields is not None}
    with sweep(at_least=100) as checks:
        for model in bodies | fields:
            with checks.check(named(model)):
                for document in documents(model):
                    try:
                        parse_body(model, to_json(document, inf_nan_mode="constants"))
                    except ValidationFailed as refused:
                        check(refused.errors, model)
                    except BadRequest:
                        continue


def test_a_wrong_query_is_told_in_plain_words():
    with sweep(at_least=20) as checks:
        for model in {route.binding.query for route in get_registry().routes if route.binding.query is not None}:
            with checks.check(named(model)):
                for document in documents(model, depth=0):
                    try:
                        parse_query(model, {key: value for key, value in document.items() if isinstance(value, str)})
                    except ValidationFailed as refused:
                        check(refused.errors, model)


def test_a_wrong_argument_of_a_tool_is_told_in_plain_words():
    with sweep(at_least=25) as checks:
        for model in {tool.arguments for tool in get_registry().mcp_tools.values()}:
            with checks.check(named(model)):
                for document in [*documents(model), {"no_such_argument": 1}]:
                    try:
                        model.model_validate(document)
                    except ValidationError as error:
                        check(error_sentences(error), model)


def test_an_enumeration_is_listed_by_its_values():
    class Colour(Enum):
        RED = "red"
        BLUE = "blue"

    made = create_model("Painted", colour=(Colour, ...))

    with pytest.raises(ValidationFailed) as refused:
        parse_body(made, b'{"colour": "green"}')
    assert refused.value.errors == {"colour": ["Must be one of: red, blue."]}
