"""What happens by the clock: providers are asked about what is pending."""

from comanda_payments import hosted, returning


async def reconcile() -> None:
    """Find out what became of payments and refunds of which nobody has heard."""
    await hosted.ask_due()
    await returning.ask_due()
