"""Bodies of requests."""

from typing import Annotated

from comanda.contracts import Body, example
from comanda_foreign_orders.api import LinkState
from pydantic import BaseModel, Field

Secret = Annotated[str, Field(min_length=8, max_length=200, pattern=r"^[\x21-\x7e]+$")]
DeliverectId = Annotated[str, Field(max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]


class DeliverectConnectionBody(Body):
    """A connection to Deliverect.

    ``client_id``, ``client_secret`` and ``webhook_secret`` are those of an integration partner at Deliverect, unless
    that is the operator. They may be omitted to keep them.
    """

    model_config = example(
        {
            "account_id": "606d8489fcd8eddf51b475a3",
            "location_id": "606d8489fcd8eddf13b100a6",
            "client_id": "n8Gd0pQz5mYt",
            "client_secret": "0f1e2d3c4b5a69788796",
            "webhook_secret": "b9922a78d3ffab6b95e9",
        }
    )

    account_id: DeliverectId
    location_id: DeliverectId
    client_id: Secret | None = None
    client_secret: Secret | None = None
    webhook_secret: Secret | None = None


class DeliverectOrderQuery(BaseModel):
    """Which orders to list."""

    state: LinkState | None = None
