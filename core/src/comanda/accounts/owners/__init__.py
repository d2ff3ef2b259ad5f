"""What owners do with their accounts, and what is done for them."""
