"""Request and response models of the test clock."""

from datetime import datetime

from pydantic import BaseModel

from comanda.contracts.requests.fields import Body, example


class AdvanceBody(Body):
    """How far to move the time forward: ``40d``, ``2h30m``, ``90s``; units are w, d, h, m and s.

    The service checks it, after it has checked that the clock is on.
    """

    model_config = example({"by": "40d"})

    by: str = ""


class ClockOut(BaseModel):
    """The time of the test clock, and how far it is ahead of real time."""

    now: datetime
    offset_seconds: int
