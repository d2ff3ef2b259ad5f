"""The engines of `comanda serve --engine`."""

import pytest
from comanda.operations.serving.engines import Engine, load_engine


@pytest.mark.parametrize("engine", Engine)
def test_each_engine_loads(engine):
    assert callable(load_engine(engine))
