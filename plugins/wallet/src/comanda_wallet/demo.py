"""The wallet of the demo's owner."""

from typing import Final

from comanda.contracts import Showcase

from comanda_wallet.services import deposits, wallets

DEMO_TOP_UP_MINOR: Final = 10_000
DEMO_THRESHOLD_MINOR: Final = 2_000


async def fill_demo_wallet(showcase: Showcase) -> None:
    """Top up the wallet of the demo's owner once, and have a low balance announced."""
    owner_id = showcase.caller().owner_id
    entry = await deposits.top_up(owner_id, DEMO_TOP_UP_MINOR, "demo", "Top-up of the demo", "demo")
    if not entry.is_repeat:
        await wallets.set_threshold(owner_id, DEMO_THRESHOLD_MINOR)
