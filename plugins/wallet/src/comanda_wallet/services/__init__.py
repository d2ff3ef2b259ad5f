"""What wallets do: entries of the ledger, and what is computed from them."""
