"""Which bouquets a shop has, and which of them the season brings."""

import json
from typing import Any

from comanda import clock
from comanda.menu.snapshot import MenuSnapshot

SHOWN = ("id", "name", "description", "price", "stem_count", "care_notes", "season_months")


def month_at(menu: MenuSnapshot) -> int:
    """Tell which month it is at the shop."""
    return clock.now().astimezone(menu.terms.zone).month


def bouquets(menu: MenuSnapshot, month: int) -> list[dict[str, Any]]:
    """List what the shop sells now, each with whether its season is on in ``month``, 1 to 12."""
    listed = [item for category in json.loads(menu.public) for item in category["items"]]
    return [
        {
            **{name: item[name] for name in SHOWN},
            "is_in_season": not item["season_months"] or month in item["season_months"],
        }
        for item in listed
    ]
