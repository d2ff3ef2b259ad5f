"""Web pages as plugins declare them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from comanda.contracts.orders.participants import StoreTerms

if TYPE_CHECKING:
    # Commands that show no page do without Quart.
    from quart import Blueprint


@dataclass(frozen=True, slots=True)
class Link:
    """An entry on the start page: a title, the path it leads to, and what a person finds there."""

    title: str
    path: str
    summary: str


class LinkPlace(StrEnum):
    """Where the pages of a store show a link: below its name, or at their end."""

    TOP = "top"
    END = "end"


@dataclass(frozen=True, slots=True)
class StoreLink:
    """A link on the pages of stores to a page of a plugin for their guests, such as a search for rooms.

    ``path`` has the store's ``{slug}``, such as ``/s/{slug}/rooms``; ``label`` is translated where it is shown, and
    ``place`` is where that is. ``relation`` says to programs what the page is, such as ``privacy_policy`` or
    ``terms_of_service``; most are of no matter to them. ``is_offered(terms)`` returns whether the pages of a store show
    it; it is asked for every page and must not wait.
    """

    label: str
    path: str
    is_offered: Callable[[StoreTerms], bool]
    place: LinkPlace = LinkPlace.TOP
    relation: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentedPage:
    """A page that the index and OpenAPI list beside routes, because programs lead to it.

    ``path`` has its parameters in braces, such as ``/apps/{appId}/embed``; ``summary`` is a sentence.
    """

    path: str
    tag: str
    summary: str

    @property
    def operation_id(self) -> str:
        """A name that is unique among all operations, such as ``get_apps_appId_embed``."""
        words = self.path.replace("{", "").replace("}", "").replace("-", "_")
        return "_".join(["get", *filter(None, words.split("/"))])


@dataclass(frozen=True, slots=True)
class SignInWays:
    """Ways of owners and staff to sign in beside e-mail and password, such as providers of identities.

    ``list_ways()`` returns the buttons of the sign-in page, or none; it is asked for every page and must not wait. Each
    leads to its path with ``next`` and ``leaves_site`` in the query, and ends with ``comanda.web.complete_login``.
    While there are some, the page of an account's security has the link ``account``.
    """

    list_ways: Callable[[], Sequence[Link]]
    account: Link


@dataclass(frozen=True, slots=True)
class Pages:
    """A Quart blueprint, and the links to it on the start page.

    Its name is the plugin's, so that its templates (in ``templates/<plugin>/``) and its static files (under a
    ``static_url_path`` of its own) are nobody else's. Templates extend ``comanda/base.html``.

    ``store_path`` is the address of a store's public page, such as ``/s/{slug}``, of which an installation has one.
    ``secret_paths`` are addresses of which the part that follows is a secret, such as ``/t/``; logs mask it.
    ``documented`` are those of the pages that the index and OpenAPI list. ``store_links`` are shown on the pages of
    stores. ``guest_paths`` are what guests need beside pages below ``store_path``, such as ``/t/`` with what follows:
    these paths also answer at the hosts of stores. ``sign_in_ways`` are further ways to sign in.
    """

    blueprint: "Blueprint"
    links: tuple[Link, ...] = ()
    store_path: str | None = None
    secret_paths: tuple[str, ...] = ()
    documented: tuple[DocumentedPage, ...] = ()
    store_links: tuple[StoreLink, ...] = ()
    guest_paths: tuple[str, ...] = ()
    sign_in_ways: SignInWays | None = None
