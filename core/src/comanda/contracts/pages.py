"""Web pages as plugins declare them."""

from dataclasses import dataclass

from quart import Blueprint


@dataclass(frozen=True, slots=True)
class Link:
    """An entry on the start page: a title, the path it leads to, and what a person finds there."""

    title: str
    path: str
    summary: str


@dataclass(frozen=True, slots=True)
class Pages:
    """A Quart blueprint, and the links to it on the start page.

    Its name is the plugin's, so that its templates (in ``templates/<plugin>/``) and its static files (under a
    ``static_url_path`` of its own) are nobody else's. Templates extend ``comanda/base.html``.
    """

    blueprint: Blueprint
    links: tuple[Link, ...] = ()
