"""Requests about starter menus."""

from typing import Annotated

from comanda.contracts import Body, Number
from pydantic import BaseModel, Field

from comanda_restaurant.services.starter_menus import Preset


class StarterBody(Body):
    """The starter menu to install. Its prices suit euro and dollar; ``price_factor`` converts them for the store."""

    preset: Preset
    price_factor: Annotated[Number, Field(ge=0.01, le=100_000)] = 1


class StarterMenuQuery(BaseModel):
    """The starter menu to return in full."""

    preset: Preset | None = None
