"""A lazy module is imported when something of it is read, and not before."""

import sys

import pytest
from comanda.basics.lazy_imports import LazyModule, defer_model_builds, import_without
from pydantic import BaseModel


@pytest.fixture
def lamp(tmp_path, monkeypatch):
    (tmp_path / "lamp_of_a_test.py").write_text("LUMEN = 800\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield LazyModule("lamp_of_a_test")
    sys.modules.pop("lamp_of_a_test", None)


def test_nothing_is_imported_before_the_first_use(lamp):
    assert "lamp_of_a_test" not in sys.modules

    assert lamp.LUMEN == 800
    assert "lamp_of_a_test" in sys.modules


def test_unknown_attribute_is_refused(lamp):
    with pytest.raises(AttributeError, match="LAMPS"):
        lamp.LAMPS  # noqa: B018


def test_missing_library_is_refused_at_its_first_use():
    absent = LazyModule("no_such_library_of_a_test")

    with pytest.raises(ModuleNotFoundError):
        absent.Client  # noqa: B018


def test_preloading_imports_only_modules_that_ask_for_it(lamp, tmp_path, monkeypatch):
    (tmp_path / "bulb_of_a_test.py").write_text("WATT = 8\n")
    monkeypatch.setattr(LazyModule, "_preloaded", set())
    LazyModule("bulb_of_a_test", preloads=True)

    LazyModule.preload()

    assert "bulb_of_a_test" in sys.modules
    assert "lamp_of_a_test" not in sys.modules
    del sys.modules["bulb_of_a_test"]


def test_import_without_optional_library_leaves_it_importable(lamp, tmp_path):
    (tmp_path / "desk_of_a_test.py").write_text(
        "try:\n    import lamp_of_a_test\nexcept ImportError:\n    lamp_of_a_test = None\n"
    )

    import_without("desk_of_a_test", "lamp_of_a_test")

    assert sys.modules.pop("desk_of_a_test").lamp_of_a_test is None
    assert lamp.LUMEN == 800


def test_deferred_model_is_built_at_its_first_use(monkeypatch):
    monkeypatch.setattr(BaseModel, "model_config", {})
    defer_model_builds()

    class Lamp(BaseModel):
        lumen: int

    assert not Lamp.__pydantic_complete__
    assert Lamp.model_validate({"lumen": "800"}).lumen == 800
    assert Lamp.__pydantic_complete__
