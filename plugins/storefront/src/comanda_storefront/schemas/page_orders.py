"""Response models of the quotes that a store's page requests."""

from pydantic import BaseModel


class Amount(BaseModel):
    """A line below the items, such as the service charge. ``text`` is the formatted amount."""

    label: str
    text: str


class Quoted(BaseModel):
    """The price of an order: its lines in the order sent, the amounts below them, and the total."""

    lines: list[str]
    amounts: list[Amount]
    total: float
    total_text: str
