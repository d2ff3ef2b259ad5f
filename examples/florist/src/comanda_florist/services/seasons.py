"""Bouquets of a shop and their seasons."""

import json
from typing import Any

from comanda import clock
from comanda.menu.snapshot import MenuSnapshot

FIELDS = ("id", "name", "description", "price", "stem_count", "care_notes", "season_months")


def get_current_month(menu: MenuSnapshot) -> int:
    """Return the current month at the shop."""
    return clock.now().astimezone(menu.terms.zone).month


def list_bouquets(menu: MenuSnapshot, month: int) -> list[dict[str, Any]]:
    """Return the bouquets on sale, each with whether it is in season in ``month``, 1 to 12."""
    listed = [item for category in json.loads(menu.public) for item in category["items"]]
    return [
        {
            **{name: item[name] for name in FIELDS},
            "is_in_season": not item["season_months"] or month in item["season_months"],
        }
        for item in listed
    ]
