"""The commands of the chapter return the responses shown."""

from datetime import UTC, datetime

import pytest
from chapters import check, examples
from comanda_coupons.plugin import register_docs

# The chapter shows when a happy hour begins.
FRIDAY_NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


@pytest.fixture
def friday(clock):
    clock.set(FRIDAY_NOON)


@pytest.mark.usefixtures("friday")
@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_response_shown(client, owner, store_id, command, shown):
    await check(client, command, shown, {"OWNER_TOKEN": owner.token, "STORE_ID": store_id})
