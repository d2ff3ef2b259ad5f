"""The inputs of pages for fields that modes and participants add to orders, from their JSON schemas."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from pydantic import BaseModel

from comanda.platform import runtime
from comanda.web.languages.translations import gettext as _

KIND_BY_FORMAT: Final = {"date-time": "datetime", "date": "date", "time": "time", "time-of-day": "time"}
KIND_BY_TYPE: Final = {"boolean": "yes", "integer": "number", "number": "number"}
# Keys of ``json_schema_extra``: choices with labels of their own, or the path of a list of them on this site, in which
# ``{store}`` stands for the store's id.
CHOICES_KEY: Final = "x-choices"
CHOICES_URL_KEY: Final = "x-choices-url"
# Marks a field that is for staff alone.
STAFF_KEY: Final = "x-staff"
# Marks a field that has no input of its own: programs send it, or a part of a page that is made for it.
HIDDEN_KEY: Final = "x-hidden"
LIMITS: Final = {"minimum": "min", "maximum": "max", "maxLength": "max_length"}


def list_item_questions() -> list[dict[str, Any]]:
    """Return what staff are asked about all items of an order, in the language of the page.

    Each has its inputs, and the ``item_fields`` of which some item must say something to be asked at all.
    """
    registry = runtime.registry()
    return [
        {
            "title": _(capability.label),
            "item_fields": list(capability.fields.model_fields),
            "inputs": [translate_input(each) for each in list_inputs(participant.fields, is_staff=True)],
        }
        for participant in registry.order_participants
        if participant.fields is not None and has_lists(participant.fields)
        if (capability := registry.item_capabilities.get(participant.capability or "")) is not None
    ]


def has_lists(model: type[BaseModel]) -> bool:
    """Return whether a model has lists of choices, as those have that say what the items of an order have to be."""
    return any(each["kind"] == "choices" for each in list_inputs(model))


@cache
def list_inputs(model: type[BaseModel], *, is_staff: bool = False) -> tuple[Mapping[str, Any], ...]:
    """Return the inputs for the fields of a model, each under the name that an order's body has for it.

    Their labels are marked for translation, see ``translate_input``.
    """
    schema = model.model_json_schema(by_alias=True)
    parts, required = schema.get("$defs", {}), frozenset(schema.get("required", ()))
    return tuple(
        {**_to_input(name, field, parts), "required": True} if name in required else _to_input(name, field, parts)
        for name, field in schema.get("properties", {}).items()
        if (is_staff or not field.get(STAFF_KEY)) and not field.get(HIDDEN_KEY)
    )


def translate_input(found: Mapping[str, Any], store_id: int | None = None) -> dict[str, Any]:
    """Return an input in the language of the page, with the choices of a store."""
    translated = {**found, "label": _(found["label"])}
    if choices := found.get("choices"):
        translated["choices"] = [
            {**choice, "label": _(str(choice.get("label", choice["value"])))} for choice in choices
        ]
    if store_id is not None and (url := found.get("choices_url")):
        translated["choices_url"] = url.replace("{store}", str(store_id))
    return translated


def _to_input(name: str, field: Mapping[str, Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    shape = _get_shape(field, parts)
    found: dict[str, Any] = {
        "name": name,
        "label": field.get("title") or to_words(name),
        "kind": KIND_BY_FORMAT.get(shape.get("format", "")) or KIND_BY_TYPE.get(shape.get("type", ""), "text"),
    }
    if field.get(STAFF_KEY):
        found["staff"] = True
    found |= {key: shape[known] for known, key in LIMITS.items() if known in shape}
    url = shape.get(CHOICES_URL_KEY)
    if isinstance(url, str) and url.startswith("/") and not url.startswith("//"):
        return {**found, "kind": "choice", "choices": [], "choices_url": url}
    choices = shape.get(CHOICES_KEY) or [
        {"value": value, "label": to_words(str(value))} for value in shape.get("enum", ()) if value is not None
    ]
    kind = "choices" if shape.get("type") == "array" else "choice"
    return {**found, "kind": kind, "choices": choices} if choices else found


def to_words(name: str) -> str:
    """Return the name of a field as words: ``pickup_at`` as ``Pickup at``."""
    return name.replace("_", " ").replace("-", " ").capitalize()


def _get_shape(field: Mapping[str, Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a field's schema that says what it holds, without null and references."""
    options = [option for option in field.get("anyOf", ()) if option.get("type") != "null"] or [{}]
    shape = {**options[0], **{key: value for key, value in field.items() if key != "anyOf"}}
    if "const" in shape:
        shape["enum"] = [shape["const"]]
    reference = shape.get("$ref", "").removeprefix("#/$defs/")
    return {**parts.get(reference, {}), **shape}
