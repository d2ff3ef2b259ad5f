"""The car that a guest has chosen at a store, remembered in their browser."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from comanda.basics import ValidationFailed
from comanda.contracts import parse_query
from comanda.platform import runtime
from quart import Response

from comanda_carparts.schemas import FitmentQuery, to_search_key

COOKIE: Final = "comanda_car"
COOKIE_SECONDS: Final = 180 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Car:
    """A make, a model and a year, spelled as the store spells them."""

    make: str
    model: str
    year: int

    @property
    def name(self) -> str:
        """The car as guests read it, such as ``VW Golf 2015``."""
        return f"{self.make} {self.model} {self.year}"

    @property
    def query(self) -> str:
        """The query of the page that shows the car's parts."""
        return urlencode({"make": self.make, "model": self.model, "year": self.year})

    def fits(self, fitment: Mapping[str, Any]) -> bool:
        """Return whether the car is in the range of a fitment."""
        last = fitment.get("year_to")
        return (
            to_search_key(fitment["make"]) == to_search_key(self.make)
            and to_search_key(fitment["model"]) == to_search_key(self.model)
            and fitment["year_from"] <= self.year
            and (last is None or self.year <= last)
        )


def get_chosen_car(cookies: Mapping[str, str]) -> Car | None:
    """Return the car that a guest's cookies hold, or None."""
    values = dict(parse_qsl(cookies.get(COOKIE, "")))
    try:
        query = parse_query(FitmentQuery, values)
    except ValidationFailed:
        return None
    if not query.make or not query.model or query.year is None:
        return None
    return Car(values["make"].strip(), values["model"].strip(), query.year)


def store_car(response: Response, car: Car, slug: str) -> None:
    """Store a car in the guest's browser, for the pages of a store alone."""
    is_secure = runtime.settings().site_url.startswith("https:")
    response.set_cookie(
        COOKIE, car.query, max_age=COOKIE_SECONDS, path=f"/s/{slug}", secure=is_secure, httponly=True, samesite="Lax"
    )
