"""An agent of the server for developers, and a valid theme."""

import pytest

from tests.support.themes import create_theme


@pytest.fixture
def agent(mcp):
    return mcp("/mcp/dev")


@pytest.fixture
def theme():
    """A valid theme with every example section."""
    return create_theme()
