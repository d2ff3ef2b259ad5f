"""Rules that declarations keep among themselves. Each check raises a ``StartupError`` that names the plugins."""

import importlib
import re
from collections.abc import Callable, Collection, Mapping
from importlib.resources import files
from types import ModuleType
from typing import Any

from pydantic import BaseModel, PydanticUserError, ValidationError
from tortoise.models import Model

from comanda.basics.startup_errors import BrokenPlugin, DuplicateRegistration, InvalidDeclaration, UnknownReference
from comanda.contracts.background.events import Event, EventHandler
from comanda.contracts.background.messaging import CHANNELS, FALLBACK_LANGUAGE, MessageTemplate, MessageText
from comanda.contracts.background.tasks import Reconciler
from comanda.contracts.data.model_sets import ModelSet
from comanda.contracts.orders.bodies import OrderBody
from comanda.contracts.orders.fulfillment import FulfillmentMode
from comanda.contracts.orders.participants import list_wire_names
from comanda.contracts.orders.sections import section_keys
from comanda.contracts.requests.validation import error_sentences
from comanda.contracts.stores.settings import StoreSettings
from comanda.contracts.stores.verticals import KNOWN_CAPABILITIES, ItemCapability, Vertical
from comanda.contracts.web.dashboard import GROUPS, PANEL_PLACES
from comanda.contracts.web.documentation import Chapter
from comanda.menu.schemas import ItemBody, ItemOut
from comanda.orders.schemas import OrderOut
from comanda.orders.sections import RECORDS
from comanda.platform.core_commands import CORE_COMMANDS

# Declarations by name, each with the plugin that made it.
Found = Mapping[str, tuple[str, Any]]
# What was gathered so far, by the attribute of the registry.
Declared = Mapping[str, Found]

CORE = "core"
TEMPLATE_NAME = re.compile(r"(?=.{1,100}$)[a-z][a-z0-9_]*(\.[a-z0-9_]+)+")
# The language, and where it is needed its script and its country, as BCP 47 has them.
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?")


def tables(found: Found) -> dict[str, list[str]]:
    """Return the tables that each plugin brings. Each has one owner, whose name it begins with."""
    owners: dict[str, str] = {}
    for plugin, models_of in found.values():
        if models_of.app != plugin:
            raise InvalidDeclaration(
                f"Plugin {plugin} declares models of the app {models_of.app} instead of its own.", plugin
            )
        for table in _tables(plugin, models_of):
            if table in owners:
                raise DuplicateRegistration(
                    f"Plugins {owners[table]} and {plugin} both declare the table {table}.", owners[table], plugin
                )
            if not table.startswith(f"{plugin}_"):
                raise InvalidDeclaration(f"Plugin {plugin}: the table {table} does not begin with {plugin}_.", plugin)
            owners[table] = plugin
        for column in models_of.encrypted:
            if owners.get(column.table) != plugin:
                raise InvalidDeclaration(
                    f"Plugin {plugin}: the encrypted column {column.column} is of {column.table}, "
                    "which is not its own.",
                    plugin,
                )
    return {plugin: [table for table, owner in owners.items() if owner == plugin] for plugin in owners.values()}


def _tables(plugin: str, models_of: ModelSet) -> list[str]:
    found: list[str] = []
    for name in models_of.modules:
        found += [model._meta.db_table or model.__name__ for model in _models(_module(plugin, name))]
    return found


def _module(plugin: str, name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise BrokenPlugin(f"Plugin {plugin}: the models in {name} cannot be imported: {error!r}.", plugin) from error


def _models(module: ModuleType) -> list[type[Model]]:
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Model)
        and value.__module__ == module.__name__
        and not value._meta.abstract
    ]


def item_capabilities(found: Found, _declared: Declared) -> None:
    """Fields of an item's capabilities stand beside core's and each other's, and may be left out."""
    for plugin, capability in found.values():
        _fields_of(plugin, capability)
    unique(found, "item field", lambda capability: list(capability.fields.model_fields))


def _fields_of(plugin: str, capability: ItemCapability) -> None:
    for name, field in capability.fields.model_fields.items():
        if name in ItemBody.model_fields or name in ItemOut.model_fields:
            raise DuplicateRegistration(
                f"Plugins {CORE} and {plugin} both declare the item field {name}.", CORE, plugin
            )
        if field.is_required():
            raise InvalidDeclaration(
                f"Plugin {plugin}: the field {name} of the item capability {capability.code} has no default.", plugin
            )


def verticals(found: Found, declared: Declared) -> None:
    """A store type is made of capabilities and modes that somebody declares."""
    capabilities, modes = _capabilities(declared), declared["fulfillment_modes"]
    for plugin, vertical in found.values():
        _vertical(plugin, vertical, "capability", vertical.capabilities, capabilities)
        _vertical(plugin, vertical, "fulfillment mode", vertical.fulfillment_modes, modes)


def _vertical(plugin: str, vertical: Vertical, what: str, named: Collection[str], known: Collection[str]) -> None:
    if unknown := [code for code in named if code not in known]:
        raise UnknownReference(
            f"Plugin {plugin}: the vertical {vertical.store_type} names the {what} {unknown[0]}, "
            "which no plugin declares.",
            plugin,
        )


def _capabilities(declared: Declared) -> set[str]:
    return {*KNOWN_CAPABILITIES, *declared["item_capabilities"]}


def order_participants(found: Found, declared: Declared) -> None:
    """Participants name modes that exist, and no field of an order's body has two meanings in one order."""
    capabilities, codes = _capabilities(declared), declared["fulfillment_modes"]
    for plugin, participant in found.values():
        if unknown := [code for code in participant.modes if code not in codes]:
            raise UnknownReference(
                f"Plugin {plugin}: the order participant {participant.name} names the fulfillment mode {unknown[0]}, "
                "which no plugin declares.",
                plugin,
            )
        if participant.capability is not None and participant.capability not in capabilities:
            raise UnknownReference(
                f"Plugin {plugin}: the order participant {participant.name} names the capability "
                f"{participant.capability}, which no plugin declares.",
                plugin,
            )
    for mode_plugin, mode in declared["fulfillment_modes"].values():
        for _, vertical in declared["verticals"].values():
            if mode.code in vertical.fulfillment_modes:
                _order_fields(found, mode_plugin, mode, vertical)


def _order_fields(found: Found, mode_plugin: str, mode: FulfillmentMode, vertical: Vertical) -> None:
    seen = dict.fromkeys({*OrderBody.model_fields, *OrderOut.model_fields}, ("core", CORE))
    _add_order_fields(seen, f"the fulfillment mode {mode.code}", mode_plugin, mode.fields)
    for plugin, participant in found.values():
        if participant.joins(vertical, mode.code):
            _add_order_fields(seen, f"plugin {plugin}", plugin, participant.fields)


def _add_order_fields(
    seen: dict[str, tuple[str, str]], whose: str, plugin: str, fields: type[BaseModel] | None
) -> None:
    for name in list_wire_names(fields) if fields else ():
        if name in seen:
            other, other_plugin = seen[name]
            raise DuplicateRegistration(
                f"The order field {name} of {whose} is also one of {other}.", other_plugin, plugin
            )
        seen[name] = (whose, plugin)


def sections(found: Found, _declared: Declared) -> None:
    """Keys of a record's sections stand beside core's and each other's, and have defaults."""
    for plugin, section in found.values():
        for name, field in section.fields.model_fields.items():
            record = RECORDS[section.record]
            if name in record.model_fields and name not in section_keys(record):
                raise DuplicateRegistration(
                    f"Plugins {CORE} and {plugin} both declare the key {name} of the record {section.record}.",
                    CORE,
                    plugin,
                )
            if field.is_required():
                raise InvalidDeclaration(
                    f"Plugin {plugin}: the key {name} of the section {section.name} has no default.", plugin
                )
    unique(
        found, "key", lambda section: [f"{name} of the record {section.record}" for name in section.fields.model_fields]
    )


def store_settings(plugin: str, settings: StoreSettings, declared: Declared) -> None:
    """Store settings are the plugin's own, and each field has a default that is valid and a label."""
    where = f"Plugin {plugin}: the store settings {settings.plugin}"
    if settings.plugin != plugin:
        raise InvalidDeclaration(f"{where} are not named after the plugin.", plugin)
    if settings.capability is not None and settings.capability not in _capabilities(declared):
        raise UnknownReference(f"{where} name the capability {settings.capability}, which no plugin declares.", plugin)
    for name, field in settings.fields.model_fields.items():
        if field.is_required() or not field.title:
            raise InvalidDeclaration(f"{where} have the field {name} without a default or a label.", plugin)
    if problem := _form_problem(settings.fields):
        raise InvalidDeclaration(f"{where} have defaults or types that do not fit a form: {problem}", plugin)


def _form_problem(fields: type[BaseModel]) -> str | None:
    try:
        fields.model_json_schema()
        fields.model_validate(fields().model_dump())
    except ValidationError as error:
        return " ".join(f"{name}: {' '.join(lines)}" for name, lines in error_sentences(error).items())
    except PydanticUserError as error:
        return error.message
    return None


def reconciler(plugin: str, reconciler: Reconciler, _declared: Declared) -> None:
    """A reconciler is the plugin's own."""
    if reconciler.plugin != plugin:
        raise InvalidDeclaration(
            f"Plugin {plugin}: the reconciler {reconciler.plugin} is not named after the plugin.", plugin
        )


def commands(found: Found, _declared: Declared) -> None:
    """A command is not named as one of core's, which would hide it."""
    for name, (plugin, _) in found.items():
        if name in CORE_COMMANDS:
            raise DuplicateRegistration(f"Plugins {CORE} and {plugin} both declare the command {name}.", plugin)


def docs(found: Found, _declared: Declared) -> None:
    """A chapter's name fits in an address, and its text is in the wheel."""
    for plugin, chapter in found.values():
        _chapter(plugin, chapter)


def navigation(found: Found, declared: Declared) -> None:
    """An entry of the navigation is in a group that exists, and needs a scope that somebody declares."""
    for plugin, entry in found.values():
        if entry.group not in GROUPS:
            raise InvalidDeclaration(
                f"Plugin {plugin}: the navigation entry {entry.label} is in the group {entry.group}; "
                f"groups are {', '.join(GROUPS)}.",
                plugin,
            )
        if entry.scope is not None and f"owner/{entry.scope}" not in declared["scopes"]:
            raise UnknownReference(
                f"Plugin {plugin}: the navigation entry {entry.label} needs the scope {entry.scope}, "
                "which nobody declares.",
                plugin,
            )


def panels(found: Found, _declared: Declared) -> None:
    """A panel has a place that exists."""
    for plugin, panel in found.values():
        if panel.place not in PANEL_PLACES:
            raise InvalidDeclaration(
                f"Plugin {plugin}: the panel {panel.name} has the place {panel.place}; "
                f"places are {', '.join(PANEL_PLACES)}.",
                plugin,
            )


def _chapter(plugin: str, chapter: Chapter) -> None:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", chapter.name):
        raise InvalidDeclaration(
            f"Plugin {plugin}: the chapter {chapter.name!r} needs a name of lower-case letters, digits and hyphens.",
            plugin,
        )
    if chapter.is_generated:
        return
    try:
        is_there = files(chapter.package).joinpath(chapter.path).is_file()
    except ModuleNotFoundError:
        is_there = False
    if not is_there:
        raise InvalidDeclaration(
            f"Plugin {plugin}: the chapter {chapter.name} names the file {chapter.path}, "
            f"which {chapter.package} lacks.",
            plugin,
        )


def message_templates(found: Found, _declared: Declared) -> None:
    """A template is in English at least, and its texts name the fields that it has."""
    for plugin, template in found.values():
        if problem := _template_problem(template):
            raise InvalidDeclaration(f"Plugin {plugin}: the message template {template.name} {problem}.", plugin)


def _template_problem(template: MessageTemplate) -> str | None:
    if not TEMPLATE_NAME.fullmatch(template.name):
        return "needs a name of two or more words with dots between them, such as bouquets.ready"
    if not template.channels or set(template.channels) - set(CHANNELS):
        return f"needs channels out of {', '.join(CHANNELS)}"
    if unknown := set(template.required) - set(template.fields):
        return f"requires the field {min(unknown)}, of which it has no sample"
    if FALLBACK_LANGUAGE not in template.texts:
        return "has no text in English, en"
    problems = (_text_problem(template, language, text) for language, text in template.texts.items())
    return next((f"has a text in {problem}" for problem in problems if problem), None)


def _text_problem(template: MessageTemplate, language: str, text: MessageText) -> str | None:
    problem = _wording_problem(template, text)
    if not LANGUAGE.fullmatch(language):
        problem = ", which is no language such as pt or pt-BR"
    return problem and f"{language}{problem}"


def _wording_problem(template: MessageTemplate, text: MessageText) -> str | None:
    try:
        named = text.fields()
    except ValueError:
        return " with a brace that belongs to no field"
    if unknown := named - set(template.fields):
        return f" with the field {min(unknown)}, which it does not have"
    if missing := set(template.required) - MessageText(text.text).fields():
        return f" without the field {min(missing)}, which it requires"
    if {"email", "push"} & set(template.channels) and not text.subject:
        return " without a subject, which e-mail and push show"
    return None


def event_name(event: type[Event]) -> str:
    """Return an event's name. Raises ``InvalidDeclaration`` where the class leaves out what every event has."""
    if missing := [name for name in ("name", "scope", "sample") if not hasattr(event, name)]:
        raise InvalidDeclaration(f"The event {event.__module__}.{event.__name__} does not say its {missing[0]}.")
    return event.name


def event_handlers(found: Found, declared: Declared) -> None:
    """A handler hears events that somebody announces."""
    events = [event for _, event in declared["events"].values()]
    for plugin, handler in found.values():
        _event_handler(plugin, handler, events)


def _event_handler(plugin: str, handler: EventHandler, events: Collection[type[Event]]) -> None:
    if unknown := [event for event in handler.events if event not in events]:
        raise UnknownReference(
            f"Plugin {plugin}: the handler {handler.name} wants {event_name(unknown[0])}, which no plugin declares.",
            plugin,
        )


def unique(found: Found, what: str, names_of: Callable[[Any], list[str]]) -> None:
    """Raise ``DuplicateRegistration`` if two declarations share one of their names."""
    seen: dict[str, str] = {}
    for plugin, item in found.values():
        for name in names_of(item):
            if name in seen:
                raise DuplicateRegistration(
                    f"Plugins {seen[name]} and {plugin} both declare the {what} {name}.", seen[name], plugin
                )
            seen[name] = plugin
