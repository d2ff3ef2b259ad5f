"""A collector on loopback."""

import pytest

from tests.plugins.opentelemetry.collector import open_collector


@pytest.fixture
def collector():
    opened, close = open_collector()
    yield opened
    close()
