"""Request body of storefront tokens."""

from typing import Annotated

from comanda.contracts import Body, Name, example
from pydantic import Field

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
