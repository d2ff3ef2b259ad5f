"""Requests about deliveries and replays."""

from typing import Annotated, Literal

from comanda.contracts import Body, Moment, example
from pydantic import BaseModel, Field

from comanda_webhooks.models import DeliveryState


class DeliveryQuery(BaseModel):
    """Filters for a list of deliveries."""

    status: DeliveryState | None = None
    event: Annotated[str, Field(max_length=100)] | None = None


class ReplayBody(Body):
    """The deliveries to send again: those queued from ``since`` on, and before ``until`` if given.

    ``failed`` selects deliveries that failed or wait for another attempt, unless a redelivery is pending or succeeded;
    ``all`` also selects delivered ones.
    """

    model_config = example({"since": "2026-07-28T00:00:00+00:00", "status": "failed"})

    since: Moment
    until: Moment | None = None
    status: Literal["failed", "all"] = "failed"
