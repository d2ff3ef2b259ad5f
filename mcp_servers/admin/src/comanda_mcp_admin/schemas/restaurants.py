"""Arguments and results of the store tools."""

from comanda.contracts import Arguments, Page, StoreId
from comanda.platform.mcp import RestaurantArguments
from comanda.stores import HoursChange, HoursOut, SettingsOut, StoreSummary
from pydantic import BaseModel, Field

from comanda_mcp_admin.schemas.arguments import PageNumber


class ListRestaurants(Arguments):
    """The page of stores to list."""

    page: PageNumber = 1


class RestaurantPage(Page[StoreSummary]):
    """The owner's stores, newest first."""


class RestaurantSettings(SettingsOut):
    """A store's settings."""

    restaurant_id: StoreId


class UpdateBusinessHours(HoursChange, RestaurantArguments):
    """Hours of a whole week, single days or dates; omitted days are kept."""


class BusinessHours(BaseModel):
    """The store's opening hours."""

    restaurant_id: StoreId
    timezone: str
    hours: HoursOut | None = Field(description="Null: always open.")
