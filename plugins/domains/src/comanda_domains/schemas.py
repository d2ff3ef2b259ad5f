"""Bodies of requests."""

from typing import Annotated

from comanda.contracts import Body, ShortText, example
from pydantic import Field


class HostBody(Body):
    """A host to register for a store: a domain of your own, or a name below the operator's domain.

    With ``redirects`` the store's page at the shared address leads to it.
    """

    model_config = example({"name": "pizzeria-roma.example", "redirects": True})

    name: Annotated[ShortText, Field(max_length=230)]
    redirects: bool = False


class HostChange(Body):
    """Changes to a host; omitted fields stay unchanged."""

    model_config = example({"redirects": True})

    redirects: bool | None = None
