"""Orders that tools find."""

import pytest


@pytest.fixture
def found(agent):
    """List the ids of the orders that arguments find."""

    async def search(**arguments):
        page = await agent.call("list_orders", arguments)
        assert page["total"] == len(page["data"])
        return [order["id"] for order in page["data"]]

    return search
