"""Bodies of requests."""

from typing import Annotated

from comanda.contracts import Body, ShortText, example
from pydantic import Field

MAX_URL_LENGTH = 500


class SmsServiceBody(Body):
    """The URL of your account at a service, with ``{to}`` in place of the telephone number."""

    model_config = example({"url": "twilio://AC5ef8732a3c49700934481addd5ce1659:token@+15017122661/{to}"})

    url: Annotated[ShortText, Field(max_length=MAX_URL_LENGTH)]
