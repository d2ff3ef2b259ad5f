"""The engines of `comanda serve --engine`."""

import sys

import pytest
from comanda.serving.engines import Engine, load_engine
from comanda.startup_errors import StartupError


@pytest.mark.parametrize("engine", [Engine.GRANIAN])
def test_missing_engine_names_its_extra(monkeypatch, engine):
    monkeypatch.delitem(sys.modules, f"comanda.serving.engines.{engine.value}", raising=False)
    monkeypatch.setitem(sys.modules, engine.value, None)

    with pytest.raises(StartupError) as refused:
        load_engine(engine)

    assert str(refused.value) == (
        f"{engine.value} is not installed. Install it with: pip install 'comanda-core[{engine.value}]'"
    )


@pytest.mark.parametrize("engine", Engine)
def test_each_engine_loads(engine):
    assert callable(load_engine(engine))
