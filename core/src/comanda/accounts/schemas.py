"""Request and response bodies of accounts."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from comanda.contracts.fields import Body, Moment, Name, example
from comanda.contracts.wire import NullableStoreId


class TokenInfo(BaseModel):
    """The token that was used."""

    id: int
    name: str
    expires_at: datetime | None
    last_used_at: datetime | None


class Identity(BaseModel):
    """The account behind a token; ``token`` is null on pages, where a session stands in its place."""

    id: int
    name: str
    email: str
    kind: str
    abilities: list[str]
    token: TokenInfo | None
    stores_count: int
    plan: str | None
    created_at: datetime


class ScopeOut(BaseModel):
    """A scope that you may give to a token, and what it allows."""

    name: str
    label: str


class TokenBody(Body):
    """A token to create. It cannot have scopes that you do not have; without ``expires_at`` it does not expire."""

    model_config = example({"name": "Accounting", "scopes": ["orders:read", "analytics:read"]})

    name: Annotated[Name, Field(max_length=100)]
    scopes: Annotated[list[Annotated[str, Field(max_length=50)]], Field(min_length=1, max_length=100)]
    expires_at: Moment | None = None


class TokenOut(BaseModel):
    """A token without its secret. ``is_current`` is true for the token of this request."""

    id: int
    name: str
    scopes: list[str]
    restaurant_id: NullableStoreId
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    is_current: bool


class TokenCreated(TokenOut):
    """A new token. Its ``secret`` is shown only in this answer."""

    secret: str
