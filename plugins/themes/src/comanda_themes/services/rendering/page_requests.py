"""What is rendered: a template of a theme with the data of one page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PageRequest:
    """One page to render. It consists of plain JSON values, because it may be sent to another process.

    ``objects`` are those of the reference by name, such as ``store`` and ``menu``; amounts are numbers in ``currency``,
    moments ISO texts. ``head`` is the markup of ``content_for_header`` and ``assets_path`` the path below which the
    theme's assets are served. ``site_origin`` is the origin whose pictures load unasked.
    """

    template: str
    language: str
    currency: str
    timezone: str
    head: str
    assets_path: str
    site_origin: str
    objects: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RenderedTheme:
    """The markup of a page, and the problems met, as sentences for the theme's author.

    ``style`` is the content of the style element that the platform has put into its head, whose hash the policy needs.
    ``is_fallback`` is set if the default theme stands in for one that failed.
    """

    html: str
    problems: tuple[str, ...] = ()
    style: str = ""
    is_fallback: bool = False
