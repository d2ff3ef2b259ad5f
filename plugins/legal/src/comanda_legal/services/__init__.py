"""What the legal plugin does: withdrawals, their acknowledgements, and the orders that they are of."""
