"""The demo restaurant."""

from comanda.demo import Showcase


async def fill(showcase: Showcase) -> None:
    """Open the restaurant."""
