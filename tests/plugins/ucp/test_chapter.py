"""The command of the chapter returns the answer shown."""

import pytest
from chapters import check, examples
from comanda_ucp.plugin import register_docs


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_answer_shown(agent, soup, command, shown):
    await check(agent.store.client, command, shown, {"SLUG": agent.slug, "ITEM_ID": soup["id"]})
