"""CardPay as a payment provider."""
