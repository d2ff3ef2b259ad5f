"""The pages of wallets."""
