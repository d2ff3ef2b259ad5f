"""The share of a charge that its developer earns."""

from comanda.basics import round_half_up

from comanda_marketplace.settings import get_settings


def get_share(amount_minor: int) -> int:
    """Return the developer's share of an amount, rounded half up; the platform earns the rest."""
    return round_half_up(amount_minor * get_settings().developer_share_percent, 100)
