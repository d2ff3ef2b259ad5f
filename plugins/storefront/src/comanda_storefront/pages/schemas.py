"""What a store's page is answered when it asks for a price."""

from pydantic import BaseModel


class Amount(BaseModel):
    """A line below the items, such as the service charge; ``text`` is the amount as people read it."""

    label: str
    text: str


class Quoted(BaseModel):
    """What an order would cost: each line in the order sent, what comes beside them, and the total."""

    lines: list[str]
    amounts: list[Amount]
    total: float
    total_text: str
