"""The filters of themes that standard Liquid does not have, for one page: its language, currency and zone."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from babel.dates import get_day_names
from comanda.platform.photos import resize_url
from comanda.web import formats
from liquid.undefined import Undefined
from markupsafe import Markup, escape

from comanda_themes.services.rendering.page_requests import PageRequest

WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
INSERT: Final = re.compile(r"\{\{ ?(\w+) ?\}\}")
# Wider than any layout needs.
MAX_IMAGE_WIDTH: Final = 4_000
MAX_DATE_FORMAT_LENGTH: Final = 50

Filter = Callable[..., Any]


class PageFilters:
    """The filters for one page."""

    def __init__(self, page: PageRequest, texts: Mapping[str, str]) -> None:
        self._page, self._texts = page, texts
        self._zone = ZoneInfo(page.timezone)

    def to_mapping(self) -> dict[str, Filter]:
        """Return the filters by name."""
        return {
            "money": self.money,
            "time": self.time,
            "moment": self.moment,
            "weekday": self.weekday,
            "t": self.translate,
            "asset_url": self.asset_url,
            "stylesheet_tag": stylesheet_tag,
            "script_tag": script_tag,
            "image_url": self.image_url,
            "image_tag": self.image_tag,
            "json": to_json,
        }

    def money(self, value: Any) -> str:
        """Return an amount in the store's currency, nothing for what is no number."""
        return formats.format_money(value, self._page.currency) if _is_number(value) else ""

    def time(self, value: Any, pattern: Any = None) -> str:
        """Return a moment in the store's time zone as hours and minutes, or by a date format."""
        moment = _to_moment(value)
        if moment is None:
            return ""
        local = moment.astimezone(self._zone)
        if isinstance(pattern, str) and len(pattern) <= MAX_DATE_FORMAT_LENGTH:
            return local.strftime(pattern)
        return formats.format_time(local)

    def moment(self, value: Any) -> str:
        """Return day and time of a moment in the store's time zone."""
        moment = _to_moment(value)
        return "" if moment is None else formats.format_moment(moment, self._zone)

    def weekday(self, value: Any) -> str:
        """Return a day such as ``monday`` in the page's language."""
        name = str(value).lower()
        return format_weekday(WEEKDAYS.index(name), self._page.language) if name in WEEKDAYS else name

    def translate(self, key: Any, **values: Any) -> str | Markup:
        """Return a text of the theme in the page's language, with each ``{{ name }}`` in it replaced by a value."""
        text = self._texts.get(str(key), str(key))
        return INSERT.sub(lambda found: _to_text(values.get(found[1])), text)

    def asset_url(self, name: Any) -> str:
        """Return the URL of a file of assets/."""
        return f"{self._page.assets_path}/{_to_text(name)}"

    def image_url(self, url: Any, *, width: Any = None) -> str:
        """Return the URL of a picture, of the size for so many pixels if it is one of the installation's photos."""
        wanted = int(width) if _is_number(width) else MAX_IMAGE_WIDTH
        return resize_url(_to_text(url), wanted, self._page.site_origin)

    def image_tag(self, url: Any, **attributes: Any) -> Markup | str:
        """Return an image element. A photo of another host loads only when the guest asks for photos."""
        address = _to_text(url)
        if not address:
            return ""
        is_remote = bool(urlsplit(address).netloc) and not address.startswith(f"{self._page.site_origin}/")
        given = {name.replace("_", "-"): value for name, value in attributes.items() if value is not None}
        given = {"alt": "", "loading": "lazy", "decoding": "async", **given}
        source = {"data-src" if is_remote else "src": address}
        hidden = {"hidden": "", "referrerpolicy": "no-referrer"} if is_remote else {}
        return Markup("<img{}>").format(_to_attributes({**source, **given, **hidden}))


def format_weekday(number: int, language: str) -> str:
    """Return the name of a day of the week, which begins on Monday with 0."""
    return str(get_day_names("wide", context="stand-alone", locale=language)[number])


def stylesheet_tag(url: Any) -> Markup:
    """Return a link element for a style sheet."""
    return Markup('<link rel="stylesheet" href="{}">').format(_to_text(url))


def script_tag(url: Any) -> Markup:
    """Return a deferred script element."""
    return Markup('<script src="{}" defer></script>').format(_to_text(url))


def to_json(value: Any) -> str:
    """Return JSON; it is escaped as all output is, so that it is safe inside an attribute."""
    return json.dumps(None if isinstance(value, Undefined) else value, ensure_ascii=False, default=str)


def _to_attributes(attributes: Mapping[str, Any]) -> Markup:
    written = [
        Markup(' {}="{}"').format(name, _to_text(value))
        for name, value in attributes.items()
        if name.replace("-", "").isalnum() and not name.startswith("on")
    ]
    return Markup("").join(written)


def _to_text(value: Any) -> str:
    if value is None or isinstance(value, Undefined):
        return ""
    return str(value) if not isinstance(value, Markup) else str(escape(value))


def _to_moment(value: Any) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
