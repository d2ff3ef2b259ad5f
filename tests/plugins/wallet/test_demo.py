"""The wallet of the demo's owner."""

from comanda.operations.demo_data import DemoBuilder
from comanda_wallet import api
from comanda_wallet.demo import fill_demo_wallet
from comanda_wallet.services import wallets


async def test_demo_wallet_is_filled_once(owner):
    showcase = DemoBuilder(owners={"owner": owner.id})

    await fill_demo_wallet(showcase)
    await wallets.set_threshold(owner.id, None)
    await fill_demo_wallet(showcase)

    wallet = await api.get_wallet(owner.id)
    assert (wallet.balance_minor, wallet.low_balance_minor) == (10_000, None)
