"""The chapter says what is."""

from pathlib import Path

import comanda_hubrise
import pytest
from chapters import check, examples
from comanda_hubrise.plugin import register_docs
from comanda_hubrise.services.statuses import DELIVERY_STATUSES, READY_TO_SHIP, REJECTED, STATUSES

CHAPTER = (Path(comanda_hubrise.__file__).parent / "docs" / "hubrise.md").read_text()


def test_the_chapter_names_every_status():
    names = {*STATUSES.values(), *DELIVERY_STATUSES.values(), READY_TO_SHIP, REJECTED}

    assert all(f"`{name}`" in CHAPTER for name in names)


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_the_documented_response(client, owner, hubrise, command, shown):
    location = hubrise.add_location()
    hubrise.locations["b9922a78d3ffab6b95e9d72e88"] = location

    await check(client, command, shown, {"OWNER_TOKEN": owner.token, "STORE_ID": await owner.store()})
