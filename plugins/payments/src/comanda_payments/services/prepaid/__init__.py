"""Money before an order: deposits, gift cards that guests buy, and their receipts."""
