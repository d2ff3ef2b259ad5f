"""For other plugins: the closings of a store, with the sums of its closed days."""

from comanda_closings.services.closed_days import ClosedDays, get_closed_to, list_closed_days
from comanda_closings.services.figures import Figure, Section, Sums

__all__ = ["ClosedDays", "Figure", "Section", "Sums", "get_closed_to", "list_closed_days"]
