"""The chapter's commands give what is shown, and it names every route and tool."""

import chapters
import pytest
from comanda_storefront.plugin import register_docs
from comanda_storefront.tools import TOOLS


@pytest.fixture
async def variables(store, owner, front):
    pizza = await store.item(
        "Pizza", 9, image_url="https://example.com/pizza.png", variations=[{"name": "Large", "price": 12}],
        extra_groups=[{"name": "Toppings", "max": 2, "extras": [{"name": "Olives", "price": 1}]}],
    )  # fmt: skip
    return {
        "OWNER_TOKEN": owner.token, "STORE_ID": store.id, "ITEM_ID": pizza["id"],
        "STOREFRONT_TOKEN": front.auth["X-Storefront-Token"],
    }  # fmt: skip


@pytest.mark.parametrize(("command", "shown"), chapters.examples(register_docs()))
async def test_command_gives_what_is_shown(client, variables, command, shown):
    assert shown is not None
    await chapters.check(client, command, shown, variables)


def test_chapter_names_every_tool_and_code():
    [chapter] = register_docs()

    assert [tool.name for tool in TOOLS if f"`{tool.name}`" not in chapter.text] == []
    for path in ("/storefront/menu", "/storefront/restaurant", "/storefront/orders", "/restaurants/{id}/qr"):
        assert path in chapter.text
