"""Values of item capabilities."""

from dataclasses import dataclass

import pytest
from comanda.basics.errors import ValidationFailed
from comanda.menu.capabilities.attribute_values import complete_values, parse_fields, parse_values
from pydantic import BaseModel


class Fields(BaseModel):
    is_hot: bool = False
    level: int | None = None


@dataclass(frozen=True)
class Capability:
    fields: type[BaseModel] = Fields


def parse(given, current):
    return parse_values([Capability()], given, current, lambda each, *rest: parse_fields(each.fields, *rest))


def test_given_values_replace_current_ones_and_those_of_others_stay():
    values = parse({"level": 2}, {"is_hot": True, "level": 1, "of_another": "x"})

    assert values == {"is_hot": True, "level": 2, "of_another": "x"}
    assert complete_values(Fields, {"level": 2}) == {"is_hot": False, "level": 2}
    assert complete_values(Fields, {"of_another": "x"}) == {"is_hot": False, "level": None}


def test_wrong_values_are_refused_by_their_names():
    with pytest.raises(ValidationFailed) as refused:
        parse({"level": "many"}, {})

    assert list(refused.value.errors) == ["level"]
