"""URL rules that compile their builders at the first use."""

import pytest
from comanda.platform.routing_rules import LazyRule
from werkzeug.routing import BuildError, Map, Rule

RULES = (
    ("/stores/<int:store>/items/<self>", "item", None),
    ("/stores/<rule>", "store", None),
    ("/pages/", "first", {"page": 1}),
    ("/pages/<int:page>", "page", None),
)
CALLS = (
    ("item", {"store": 3, "self": "a b"}),
    ("item", {"store": 3, "self": "x", "more": ["1", "2"]}),
    ("store", {"rule": "ä/b"}),
    ("first", {}),
    ("page", {"page": 7, "q": "x"}),
)


def build_map(kind):
    return Map([kind(path, endpoint=endpoint, defaults=defaults) for path, endpoint, defaults in RULES]).bind("shop")


@pytest.mark.parametrize(("endpoint", "values"), CALLS)
def test_urls_are_those_of_an_ordinary_rule(endpoint, values):
    lazy, ordinary = build_map(LazyRule), build_map(Rule)

    # Once to compile, once compiled.
    for _ in range(2):
        assert lazy.build(endpoint, values) == ordinary.build(endpoint, values)
        known = {name: value for name, value in values.items() if name not in {"more", "q"}}
        assert lazy.build(endpoint, known, append_unknown=False) == ordinary.build(
            endpoint, known, append_unknown=False
        )


def test_missing_parameter_is_refused():
    with pytest.raises(BuildError):
        build_map(LazyRule).build("item", {"store": 3})


def test_nothing_is_compiled_before_its_first_use(monkeypatch):
    compiled = []
    original = Rule._compile_builder
    monkeypatch.setattr(
        Rule, "_compile_builder", lambda rule, unknown=True: compiled.append(rule.rule) or original(rule, unknown)
    )

    bound = build_map(LazyRule)
    assert bound.match("/stores/5/items/x") == ("item", {"store": 5, "self": "x"})
    assert compiled == []

    bound.build("store", {"rule": "a"})
    bound.build("store", {"rule": "b"})
    assert compiled == ["/stores/<rule>"]
