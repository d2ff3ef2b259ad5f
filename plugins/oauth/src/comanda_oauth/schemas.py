"""What the token address answers, and a store's page about what customers have connected."""

from datetime import datetime

from comanda.contracts import is_null
from pydantic import BaseModel, Field


class IssuedTokensOut(BaseModel):
    """An access token; one that expires has ``expires_in`` and a ``refresh_token``."""

    access_token: str
    token_type: str
    scope: str
    installation_id: int
    expires_in: int | None = Field(default=None, exclude_if=is_null)
    refresh_token: str | None = Field(default=None, exclude_if=is_null)


class ConnectionOut(BaseModel):
    """A client that acts for a customer."""

    id: int
    name: str
    connected_at: datetime


class ConnectionsOut(BaseModel):
    """What a customer has connected, and the address of the server by which assistants are connected, if there is one.

    ``address`` names the store.
    """

    connections: list[ConnectionOut]
    address: str | None
