"""The structure of a starter menu."""

from dataclasses import dataclass

from comanda_restaurant.services.starter_items import StarterItem


@dataclass(frozen=True, slots=True)
class StarterMenu:
    """A complete menu; ``categories`` maps each heading, in order, to its dishes."""

    title: str
    description: str
    categories: dict[str, tuple[StarterItem, ...]]

    @property
    def items_count(self) -> int:
        """The number of dishes."""
        return sum(len(items) for items in self.categories.values())
