"""Bodies of requests of the pages of orders."""

from typing import Annotated

from comanda.contracts import Body, ShortText, example
from pydantic import Field

MAX_SUBSCRIPTION_LENGTH = 4096

Subscription = Annotated[str, Field(min_length=1, max_length=MAX_SUBSCRIPTION_LENGTH)]
SAMPLE = '{"endpoint": "https://push.example.com/3f", "keys": {"p256dh": "BOr...", "auth": "k8J..."}}'


class PushSubscriptionBody(Body):
    """A browser's subscription as JSON, and the language of the page."""

    model_config = example({"token": SAMPLE, "locale": "pt"})

    token: Subscription
    locale: Annotated[ShortText, Field(max_length=35)] | None = None


class EndedPushSubscriptionBody(Body):
    """The subscription of the browser to unregister."""

    model_config = example({"token": SAMPLE})

    token: Subscription
