"""Request and response models of storefront tokens."""

from datetime import datetime
from typing import Annotated

from comanda.contracts.fields import Body, Name, example
from comanda.contracts.wire import StoreId
from pydantic import BaseModel, Field

from comanda_storefront.caller_kinds import SCOPES

Scopes = Annotated[
    list[Annotated[str, Field(max_length=50)]],
    Field(min_length=1, max_length=20, description=f"One or more of: {', '.join(SCOPES)}."),
]


class StorefrontTokenBody(Body):
    """A token to create: its name and scopes."""

    model_config = example({"name": "Web shop", "scopes": ["menu:read", "order:write"]})

    name: Annotated[Name, Field(max_length=100)]
    scopes: Scopes


class StorefrontTokenOut(BaseModel):
    """A token of one store, without its secret. ``last_used_at`` is accurate to the hour."""

    id: int
    restaurant_id: StoreId
    name: str
    scopes: list[str]
    created_at: datetime
    last_used_at: datetime | None


class StorefrontTokenIssued(StorefrontTokenOut):
    """A token with its secret, which is shown only once."""

    token: str
