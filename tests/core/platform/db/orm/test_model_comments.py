"""Tortoise reads sources of models where they have comments for it, and is spared the others."""

import importlib.util
import sys

import pytest
from comanda.platform.db.orm import model_comments
from tortoise import fields, models
from tortoise.models import Model

DESCRIBED = """
from tortoise import fields
from tortoise.models import Model

class Lamp(Model):
    id = fields.BigIntField(primary_key=True)
    #: How bright it is.
    lumen = fields.IntField()
"""


@pytest.fixture(autouse=True)
def spared():
    model_comments.skip_comment_parsing()


def test_a_comment_for_a_column_becomes_its_description(tmp_path):
    (tmp_path / "lamps.py").write_text(DESCRIBED)
    spec = importlib.util.spec_from_file_location("lamps_of_a_test", tmp_path / "lamps.py")
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)

    assert module.Lamp._meta.fields_map["lumen"].description == "How bright it is."
    assert module.Lamp._meta.fields_map["id"].description is None


def test_a_file_without_such_comments_is_not_parsed(monkeypatch):
    monkeypatch.setattr(model_comments, "_tortoise_get_comments", lambda _: pytest.fail("it was parsed"))
    monkeypatch.setattr(model_comments, "_has_marker", lambda _: False)

    class Shade(Model):
        id = fields.BigIntField(primary_key=True)

    assert Shade._meta.fields_map["id"].description is None


def test_a_tortoise_that_reads_in_another_way_is_left_alone(monkeypatch):
    before = models._get_comments
    monkeypatch.setattr(model_comments, "_tortoise_get_comments", None)
    monkeypatch.setattr(models, "_get_comments", before)

    model_comments.skip_comment_parsing()

    assert models._get_comments is before
