"""The Liquid reference that agents read."""

from typing import Any, Final

from comanda.basics import NotFound
from comanda_themes.api import ObjectProperty, ThemeObject, list_item_fields, load_filters, load_objects, load_tags

from comanda_mcp_dev.schemas.themes import FilterOut, LiquidReference, ObjectOut, TagOut

ABOUT_LIQUID: Final = (
    "Liquid of themes: these tags, filters and objects and no others. Output is escaped. Amounts are numbers in the "
    "store's currency, for the filter money; moments are for the filter time. Fetch the chapter themes for the rest."
)


def get_liquid_reference(name: str | None, kind: str | None) -> LiquidReference:
    """Return the reference, filtered by kind or name. Raises ``NotFound`` for an unknown name."""
    whole = LiquidReference(
        about=ABOUT_LIQUID,
        tags=[] if kind not in {None, "tag"} else [_to_tag(tag) for tag in load_tags().values()],
        filters=[] if kind not in {None, "filter"} else [FilterOut(**one) for one in load_filters().values()],
        objects=[] if kind not in {None, "object"} else [_to_object(one) for one in load_objects().values()],
    )
    if name is None:
        return whole
    entries: dict[str, Any] = {
        kinds: [entry for entry in getattr(whole, kinds) if entry.name == name]
        for kinds in ("tags", "filters", "objects")
    }
    if not any(entries.values()):
        raise NotFound("Themes have no tag, filter or object of that name. Omit the name to list all.")
    return LiquidReference(about=ABOUT_LIQUID, **entries)


def _to_tag(entry: Any) -> TagOut:
    shown = {name: entry[name] for name in ("name", "syntax", "summary", "example")}
    return TagOut(**shown, closed_by=entry.get("block"))


def _to_object(found: ThemeObject) -> ObjectOut:
    properties = list(found.properties)
    if found.name == "item":
        known = {one.name for one in found.properties}
        properties += [
            ObjectProperty(name, "any", "A field of an item capability; nil in stores without it.")
            for name in sorted(list_item_fields() - known)
        ]
    return ObjectOut(name=found.name, type=found.type, where=found.where, summary=found.summary, properties=properties)
