"""Request and response bodies of handoffs to the web view."""

from typing import Annotated

from comanda.contracts.fields import Body, ShortText, example
from pydantic import BaseModel, Field

MAX_AGENT_LENGTH = 1000


class SessionBody(Body):
    """The path that the web view continues with, and its user agent if that is not the one of this request."""

    model_config = example({"path": "/app/home", "user_agent": "Comanda/1.4 Hotwire Native iOS; Turbo Native iOS"})

    path: str | None = None
    user_agent: Annotated[ShortText, Field(max_length=MAX_AGENT_LENGTH)] | None = None


class HandoffOut(BaseModel):
    """An address that opens a web session once, in the web view with that user agent, for ``expires_in`` seconds."""

    handoff_url: str
    expires_in: int
