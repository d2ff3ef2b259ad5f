"""A lazy module is imported when something of it is read, and not before."""

import sys

import pytest
from comanda.lazy_imports import LazyModule


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
