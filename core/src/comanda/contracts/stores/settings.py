"""Store settings: what an owner decides about one store for a plugin, with all that a form needs to ask for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field, JsonValue

from comanda.contracts.requests.fields import Body


class StoreSettingsFields(Body):
    """Base of the fields of a plugin's store settings. Each has a default, a label, and better a sentence of help."""


def setting(
    default: Any,
    *,
    label: str,
    help_text: str | None = None,
    unit: str | None = None,
    choices: Mapping[str, str] | None = None,
    **limits: Any,
) -> Any:
    """Return a field of store settings: what a form calls it, how it explains it, and in which unit it is.

    ``limits`` are those of pydantic's ``Field``, such as ``ge`` and ``max_length``. A field with choices has the type
    ``Literal`` or ``StrEnum``; ``choices`` are the labels of its values, where they say more than these.
    """
    extra: dict[str, JsonValue] = {}
    if unit is not None:
        extra["x-unit"] = unit
    if choices is not None:
        extra["x-choices"] = [{"value": value, "label": text} for value, text in choices.items()]
    return Field(default, title=label, description=help_text, json_schema_extra=extra or None, **limits)


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """A plugin's settings of each store, or of the stores whose vertical has ``capability``.

    ``plugin`` is the plugin's name and ends their address, ``title`` is the heading of their form.
    """

    plugin: str
    title: str
    fields: type[StoreSettingsFields]
    capability: str | None = None
