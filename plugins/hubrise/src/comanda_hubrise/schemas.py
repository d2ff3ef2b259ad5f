"""Bodies of requests."""

from typing import Annotated, Final

from comanda.contracts import Body, ShortText, example
from comanda_foreign_orders.api import LinkState
from pydantic import BaseModel, Field

DEFAULT_CASH_REFS: Final = ("CASH",)

Secret = Annotated[str, Field(min_length=8, max_length=200, pattern=r"^[\x21-\x7e]+$")]
HubRiseId = Annotated[str, Field(max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]


class HubRiseConnectionBody(Body):
    """A connection to HubRise.

    ``access_token`` is that of a location; it may be omitted to change the rest. ``client_secret`` is that of the
    client at HubRise that the token is of, unless that is the operator's. Payments whose ``ref`` is one of
    ``cash_refs`` are not collected yet. The menu and what is sold out are sent to the catalog ``catalog_id``.
    """

    model_config = example({"access_token": "b9922a78d3ffab6b95e9d72e88", "client_secret": "0f1e2d3c4b5a69788796"})

    access_token: Secret | None = None
    client_secret: Secret | None = None
    catalog_id: HubRiseId | None = None
    sends_menu: bool = False
    sends_sold_out: bool = False
    cash_refs: Annotated[list[Annotated[ShortText, Field(max_length=50)]], Field(max_length=20)] = [*DEFAULT_CASH_REFS]


class HubRiseOrderQuery(BaseModel):
    """Which orders to list."""

    state: LinkState | None = None
