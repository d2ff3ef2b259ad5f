"""The chapter says what is."""

from pathlib import Path

import comanda_deliverect
import pytest
from chapters import check, examples
from comanda_deliverect.plugin import register_docs
from comanda_deliverect.services.order_worker import DELIVERY_STATUSES, FAILED, STATUSES

CHAPTER = (Path(comanda_deliverect.__file__).parent / "docs" / "deliverect.md").read_text()


def test_the_chapter_names_every_status():
    assert all(f"`{number}`" in CHAPTER for number in {*STATUSES.values(), *DELIVERY_STATUSES.values(), FAILED})


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_the_documented_response(client, owner, deliverect, command, shown):
    deliverect.clients["n8Gd0pQz5mYt"] = "0f1e2d3c4b5a69788796"

    await check(client, command, shown, {"OWNER_TOKEN": owner.token, "STORE_ID": await owner.store()})
