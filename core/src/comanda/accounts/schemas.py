"""Request and response bodies of accounts."""

from datetime import datetime

from pydantic import BaseModel


class TokenInfo(BaseModel):
    """The token that was used."""

    id: int
    name: str
    expires_at: datetime | None
    last_used_at: datetime | None


class Identity(BaseModel):
    """The account behind a token."""

    id: int
    name: str
    email: str
    kind: str
    abilities: list[str]
    token: TokenInfo
    stores_count: int
    plan: str | None
    created_at: datetime
