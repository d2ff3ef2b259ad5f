"""The pages with the legal texts of a store."""

from typing import Final

from comanda.basics import NotFound
from comanda.contracts import LinkPlace, Pages, StoreLink
from comanda.stores import get_store_settings
from comanda.web import get_public_store
from quart import Blueprint, Response, abort, render_template

from comanda_legal.store_settings import HEADINGS, WITHDRAW, WITHDRAW_LABEL, LegalTexts, has_text

# As the Universal Commerce Protocol names them, where it has a name.
RELATIONS: Final = {
    "terms": "terms_of_service",
    "privacy": "privacy_policy",
    "withdrawal": "refund_policy",
    "accessibility": "accessibility_statement",
}

blueprint: Final = Blueprint("legal", __name__, template_folder="templates")
pages: Final = Pages(
    blueprint,
    store_links=tuple(
        StoreLink(label, f"/s/{{slug}}/legal/{name}", has_text(name), LinkPlace.END, RELATIONS.get(name, name))
        for name, label in {**HEADINGS, WITHDRAW: WITHDRAW_LABEL}.items()
    ),
    secret_paths=("/withdraw/",),
    guest_paths=("/withdraw/", "/legal/withdrawals/"),
)


@blueprint.get("/s/<slug>/legal/<name>")
async def show_text(slug: str, name: str) -> Response:
    """Return one of the legal texts of a store."""
    try:
        store = await get_public_store(slug)
    except NotFound:
        abort(404)
    texts = await get_store_settings(LegalTexts, store.owner_id, store.id)
    if name not in HEADINGS or not (text := texts.get_text(name)):
        abort(404)
    page = await render_template(
        "legal/text.html",
        store=store,
        heading=HEADINGS[name],
        paragraphs=split_paragraphs(text),
        withdraw_label=WITHDRAW_LABEL if name == "withdrawal" and texts.has_withdrawal else None,
    )
    return Response(page, headers={"Cache-Control": "no-cache"})


def split_paragraphs(text: str) -> list[list[str]]:
    """Return the lines of each paragraph; an empty line begins one."""
    paragraphs: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip():
            paragraphs[-1].append(line.strip())
        elif paragraphs[-1]:
            paragraphs.append([])
    return paragraphs
