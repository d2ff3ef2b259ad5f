"""What the token address answers."""

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
