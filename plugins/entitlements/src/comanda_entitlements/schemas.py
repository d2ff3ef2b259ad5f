"""The form of a grant by an administrator."""

from datetime import date
from typing import Annotated

from comanda.contracts import Body, Count
from pydantic import Field


class GrantBody(Body):
    """A feature that an administrator grants, up to a ``quota`` and until a day; null is unlimited, and for good."""

    feature: Annotated[str, Field(min_length=1, max_length=100)]
    quota: Count | None = None
    until: date | None = None
