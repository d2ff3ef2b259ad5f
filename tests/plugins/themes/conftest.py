"""An agent that checks themes, and a valid theme."""

import pytest

from tests.support.themes import create_theme

GREEDY = "from comanda_themes.services.checks import worker; worker.set_limits(); "
SECONDS = 15
SECTION = "sections/a.liquid"
TEMPLATE = "templates/index.liquid"


@pytest.fixture
def agent(mcp):
    return mcp("/mcp/dev")


@pytest.fixture
def theme():
    """A valid theme with every section of the default theme."""
    return create_theme()
