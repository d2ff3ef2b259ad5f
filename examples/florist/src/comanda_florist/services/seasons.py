"""Bouquets of a shop and their seasons."""

import json

from comanda.basics import Money, clock, to_minor
from comanda.menu import MenuSnapshot

from comanda_florist.records import Bouquet


def get_current_month(menu: MenuSnapshot) -> int:
    """Return the current month at the shop."""
    return clock.now().astimezone(menu.terms.zone).month


def list_bouquets(menu: MenuSnapshot, month: int) -> list[Bouquet]:
    """Return the bouquets on sale, each with whether it is in season in ``month``, 1 to 12."""
    currency = menu.terms.currency
    return [
        Bouquet(
            id=item["id"],
            name=item["name"],
            description=item["description"],
            price=Money(to_minor(item["price"], currency), currency),
            stem_count=item["stem_count"],
            care_notes=item["care_notes"],
            season_months=item["season_months"],
            is_in_season=not item["season_months"] or month in item["season_months"],
        )
        for category in json.loads(menu.public)
        for item in category["items"]
    ]
