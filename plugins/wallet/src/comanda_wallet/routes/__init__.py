"""The routes of wallets."""
