"""Tortoise creates the filters of a model for the first query that needs them, and the same ones as without delay."""

import sys

import pytest
from comanda.platform.db.orm import model_filters
from tortoise import Tortoise, fields, models
from tortoise.filters import get_filters_for_field
from tortoise.models import MetaInfo, Model


@pytest.fixture
async def shelves(monkeypatch):
    """Return two related models of an initialized Tortoise, whose filters are deferred."""
    monkeypatch.setattr(models, "get_filters_for_field", model_filters._declare_filters)
    monkeypatch.setattr(MetaInfo, "_generate_filters", model_filters._defer_generation)

    class Shelf(Model):
        id = fields.BigIntField(primary_key=True)
        label = fields.CharField(max_length=20, source_field="name")

    class Jar(Model):
        id = fields.BigIntField(primary_key=True)
        facts = fields.JSONField()
        shelf = fields.ForeignKeyField("shop.Shelf", related_name="jars")

    module = type(sys)("shelves_of_a_test")
    module.Shelf, module.Jar = Shelf, Jar
    Shelf.__module__ = Jar.__module__ = module.__name__
    monkeypatch.setitem(sys.modules, module.__name__, module)
    context = await Tortoise.init(db_url="postgres://nobody@127.0.0.1:1/none", modules={"shop": [module.__name__]})
    with context:
        yield module


async def test_no_filter_exists_before_a_query(shelves):
    assert {type(found) for found in shelves.Shelf._meta._filters.values()} == {model_filters._DeferredFilters}


async def test_a_query_uses_the_column_and_the_relation(shelves):
    sql = shelves.Shelf.filter(label__startswith="a", jars__id__in=[1, 2], pk__gt=3).sql()

    assert '"shelf"."name"' in sql
    assert 'JOIN "jar"' in sql
    assert '"shelf"."id">' in sql


async def test_filters_equal_those_of_tortoise(shelves):
    field = shelves.Shelf._meta.fields_map["label"]
    eager = get_filters_for_field("label", field, "name")

    found = {key: value for key, value in shelves.Shelf._meta.filters.items() if key.startswith("label")}

    assert found.keys() == eager.keys()
    assert {value["source_field"] for value in found.values()} == {"name"}
    assert type(shelves.Shelf._meta.filters) is dict


async def test_an_unknown_field_is_refused_as_before(shelves):
    with pytest.raises(Exception, match="Unknown filter param 'colour'"):
        shelves.Shelf.filter(colour="red").sql()
