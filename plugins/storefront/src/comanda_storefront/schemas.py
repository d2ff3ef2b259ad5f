"""Storefront tokens on the wire."""

from datetime import datetime
from typing import Annotated

from comanda.contracts.fields import Body, Name, example
from pydantic import BaseModel, Field

from comanda_storefront.kinds import SCOPES

Scopes = Annotated[
    list[Annotated[str, Field(max_length=50)]],
    Field(min_length=1, max_length=20, description=f"One or more of: {', '.join(SCOPES)}."),
]


class StorefrontTokenBody(Body):
    """A new token: what it is for, and what it may do."""

    model_config = example({"name": "Web shop", "scopes": ["menu:read", "order:write"]})

    name: Annotated[Name, Field(max_length=100)]
    scopes: Scopes


class StorefrontTokenOut(BaseModel):
    """A token of one store; ``last_used_at`` is true to the hour. The token itself is never shown again."""

    id: int
    restaurant_id: int
    name: str
    scopes: list[str]
    created_at: datetime
    last_used_at: datetime | None


class StorefrontTokenIssued(StorefrontTokenOut):
    """A token with its secret, which is shown this once."""

    token: str
