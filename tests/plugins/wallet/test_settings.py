"""The settings of wallets."""

import pytest
from comanda_wallet.settings import WalletSettings


def test_currency_is_checked():
    with pytest.raises(ValueError, match="not a currency"):
        WalletSettings(currency="XQX")
