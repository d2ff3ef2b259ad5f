"""Request body of tokens."""

from typing import Annotated

from pydantic import Field

from comanda.contracts.requests.fields import Body, Moment, Name, example


class TokenBody(Body):
    """A token to create. It cannot have scopes that you do not have; without ``expires_at`` it does not expire."""

    model_config = example({"name": "Accounting", "scopes": ["orders:read", "analytics:read"]})

    name: Annotated[Name, Field(max_length=100)]
    scopes: Annotated[list[Annotated[str, Field(max_length=50)]], Field(min_length=1, max_length=100)]
    expires_at: Moment | None = None
