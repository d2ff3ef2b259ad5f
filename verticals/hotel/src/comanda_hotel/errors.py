"""Errors of the hotel vertical."""

from comanda.basics import NotFound


class NotAHotel(NotFound):
    """The store belongs to the caller but has no rooms."""

    message = "This store has no rooms."

    def __init__(self) -> None:
        super().__init__(extras={"reason": "not_applicable"})
