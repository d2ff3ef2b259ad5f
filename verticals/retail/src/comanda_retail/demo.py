"""The demo shop, opened once and through the services that its owner would use."""

from dataclasses import asdict
from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.demo import DemoStore, Showcase
from comanda.demo_data.builder import create_menu

from comanda_retail.demo_shelves import SHELVES, Ware

STORE = DemoStore(
    store_type="retail",
    title="Cais das Letras",
    slug="cais-das-letras",
    settings={
        "country": "PT",
        "phone": "+351 21 555 0177",
        "address": "Cais do Sodré 22, 1200-450 Lisboa",
        "tax_rate": 23,
        "is_tax_included": True,
    },
)


async def fill(showcase: Showcase) -> None:
    """Open the shop, or find it as its owner left it."""
    await showcase.open(STORE, _furnish)


async def _furnish(caller: Caller, store_id: int) -> None:
    await create_menu(caller, store_id, {shelf: [_item(ware) for ware in wares] for shelf, wares in SHELVES.items()})


def _item(ware: Ware) -> dict[str, Any]:
    item = asdict(ware)
    versions = item.pop("versions")
    return {**item, "variants": [{**version, "options": dict(version["options"])} for version in versions]}
