"""A browser that receives push messages."""

import pytest

from tests.plugins.web_push.browsers import open_browser


@pytest.fixture
async def browser(app):
    async with open_browser() as opened:
        yield opened
