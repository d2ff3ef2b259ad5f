"""What crosses the wire."""

from pydantic import BaseModel


class CallbackReceived(BaseModel):
    """The answer to a callback; ``is_known`` is false for a payment that this installation does not have."""

    is_known: bool
