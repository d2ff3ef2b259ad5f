"""What an app costs, in the words that its owner reads before consenting, and what its developer earns of that."""

from decimal import Decimal

from comanda.basics import money, round_half_up

from comanda_marketplace.models import App, Billing
from comanda_marketplace.settings import get_settings


def describe_terms(app: App) -> str:
    """Return what an app costs who installs it now; an empty text if it is free."""
    if app.billing == Billing.FREE:
        return ""
    price = format_price(app.price, app.currency)
    if app.billing == Billing.USAGE:
        return (
            f"{price} for each unit that the app reports, taken from your wallet. "
            "You can limit what it takes in a month."
        )
    trial = f"Free for {app.trial_days} days, then " if app.trial_days else ""
    return f"{trial}{price} every {app.period_days} days, taken from your wallet."


def format_price(price: Decimal, currency: str) -> str:
    """Return a price with its currency, such as ``9.00 EUR``, and with more decimals where it has them."""
    return f"{format_amount(price, currency)} {currency}"


def format_amount(price: Decimal, currency: str) -> str:
    """Return a price without its currency, such as ``9.00``, and with more decimals where it has them."""
    digits = f"{price.normalize():f}".partition(".")[2]
    return f"{price:.{max(money.get_exponent(currency), len(digits))}f}"


def get_share(amount_minor: int) -> int:
    """Return the developer's share of an amount, rounded half up; the platform earns the rest."""
    return round_half_up(amount_minor * get_settings().developer_share_percent, 100)
