"""Stores and their hours, as agents name and see them."""

from comanda.http.paging import Page
from comanda.mcp import Arguments
from comanda.mcp.choosing import RestaurantArguments
from comanda.stores.hours_schemas import HoursChange, HoursOut
from comanda.stores.schemas import SettingsOut, StoreOut
from pydantic import BaseModel, Field

from comanda_mcp_admin.schemas.arguments import PageNumber


class ListRestaurants(Arguments):
    """Which of the owner's stores to list."""

    page: PageNumber = 1


class RestaurantPage(Page[StoreOut]):
    """The owner's stores, newest first."""


class RestaurantSettings(SettingsOut):
    """A store's settings."""

    restaurant_id: int


class UpdateBusinessHours(HoursChange, RestaurantArguments):
    """A whole week, one day or some dates; what is left out stays as it is."""


class BusinessHours(BaseModel):
    """When the store is open from now on."""

    restaurant_id: int
    timezone: str
    hours: HoursOut | None = Field(description="Null: always open.")
