"""What plugins add to the records of orders: keys of their own, read for many orders at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import structlog
from pydantic import BaseModel

from comanda.contracts.orders.participants import NewOrder, NewSections, OrderRequest, StoreParticipant
from comanda.contracts.orders.sections import OrderState, Record, Section
from comanda.orders.records import OrderSections
from comanda.orders.schemas import LineOut, OrderOut, Tracking
from comanda.platform import plugin_calls, runtime
from comanda.platform.plugin_calls import call_plugin_in, run_plugin

log = structlog.get_logger(__name__)

NOTHING_SAID: Final[NewSections] = MappingProxyType({})

# What core says in each of them.
RECORDS: Final[Mapping[Record, type[BaseModel]]] = {
    Record.ORDER: OrderOut,
    Record.LINE: LineOut,
    Record.TRACKING: Tracking,
    Record.TRACKING_PAGE: Tracking,
}


async def load_sections(
    owner_id: int, order_id: int, state: OrderState, said: NewSections = NOTHING_SAID
) -> OrderSections:
    """Return the sections of an order and its lines; those that say nothing of it have their defaults.

    What participants ``said`` when they changed it is not loaded again.
    """
    loaded = await _load_sections(Record.ORDER, owner_id, order_id, state, said)
    return OrderSections(
        of_order=get_defaults(Record.ORDER) | loaded.get(order_id, {}),
        by_line=await _load_sections(Record.LINE, owner_id, order_id, state, said),
        line_defaults=get_defaults(Record.LINE),
    )


async def load_tracking_sections(owner_id: int, order_id: int, state: OrderState) -> OrderSections:
    """Return the sections of an order's public status."""
    loaded = await _load_sections(Record.TRACKING, owner_id, order_id, state)
    return OrderSections(of_order=loaded.get(order_id, {}))


async def load_page_sections(owner_id: int, order_id: int, state: OrderState) -> Mapping[str, Any]:
    """Return the sections that are on the tracking page of an order alone."""
    return (await _load_sections(Record.TRACKING_PAGE, owner_id, order_id, state)).get(order_id, {})


def collect_new_sections(
    request: OrderRequest, parts: Sequence[StoreParticipant], order: NewOrder, reserved: Mapping[str, Any]
) -> NewSections:
    """Return what participants say of a new order in their plugins' sections; a failure is logged and says nothing.

    ``reserved`` is the state of each participant's reservation, by its name.
    """
    said: dict[str, Mapping[int, Mapping[str, Any]]] = {}
    for part in parts:
        describe = part.participant.sections
        if describe is None:
            continue
        known = replace(order, reserved=reserved.get(part.participant.name))
        # The order is placed, so its record has the defaults of what fails.
        try:
            said.update(run_plugin(part.participant, "sections", _describe_new_order, describe, request, part, known))
        except plugin_calls.PluginFailed:
            continue
        except Exception:
            log.exception("a plugin could not describe a new order", plugin=part.plugin, order_id=order.id)
    return said


def _describe_new_order(
    describe: Callable[[OrderRequest, Any, NewOrder], NewSections],
    request: OrderRequest,
    part: StoreParticipant,
    order: NewOrder,
) -> NewSections:
    """Return what a participant says of a new order. Raises ``ValueError`` unless it fits its plugin's sections."""
    described = describe(request, part.loaded, order)
    _check_described(part, described)
    return described


def accept_sections(part: StoreParticipant, described: NewSections, order_id: int) -> NewSections:
    """Return what a participant says of an amended order; nothing, which is logged, if it does not fit its sections."""
    # It may be anything at all, and the order is amended: what fails is read with the other sections.
    try:
        _check_described(part, described)
    except Exception:
        log.exception("a plugin could not describe an amended order", plugin=part.plugin, order_id=order_id)
        return {}
    return described


def _check_described(part: StoreParticipant, described: NewSections) -> None:
    """Raise ``ValueError`` unless what a participant says fits its plugin's sections."""
    registry = runtime.registry()
    plugin = registry.plugin_of(part.participant)
    own = {section.name: section for section in registry.sections if registry.plugin_of(section) == plugin}
    if unknown := described.keys() - own.keys():
        raise ValueError(f"{plugin} has no section {min(unknown)}")
    for name, values_by_id in described.items():
        _check_values(own[name], values_by_id)


async def load_new_sections(owner_id: int, order_id: int, state: OrderState, said: NewSections) -> OrderSections:
    """Return the sections of an order that was just placed: what participants said of it, or what is loaded.

    A section is loaded unless its plugin's participant speaks for it or it does not want the order.
    """
    found: dict[Record, dict[int, dict[str, Any]]] = {Record.ORDER: {}, Record.LINE: {}}
    for section in runtime.registry().sections:
        if section.record in found:
            for id, values in (await _get_new_values(section, owner_id, order_id, state, said)).items():
                found[section.record].setdefault(id, {}).update(values)
    return OrderSections(
        of_order=get_defaults(Record.ORDER) | found[Record.ORDER].get(order_id, {}),
        by_line=found[Record.LINE],
        line_defaults=get_defaults(Record.LINE),
    )


async def _get_new_values(
    section: Section, owner_id: int, order_id: int, state: OrderState, said: NewSections
) -> Mapping[int, Mapping[str, Any]]:
    try:
        if section.is_set_by_participant or not _is_wanted(section, state):
            return said.get(section.name, {})
        return await call_plugin_in(owner_id, section, "section.load", _load_checked, section, owner_id, order_id)
    except plugin_calls.PluginFailed:
        return {}
    except Exception:
        # The order is placed; the section is there when it is read again.
        log.exception("a section of a new order could not be loaded", section=section.name, order_id=order_id)
        return {}


def get_defaults(kind: Record) -> dict[str, Any]:
    """Return what the sections say of an order, or a line, of which they know nothing: the defaults."""
    defaults: dict[str, Any] = {}
    for section in runtime.registry().sections:
        if section.record is kind:
            defaults |= _get_section_defaults(section.fields)
    return defaults


@cache
def _get_section_defaults(fields: type[BaseModel]) -> dict[str, Any]:
    return fields().model_dump(mode="json")


async def _load_sections(
    kind: Record, owner_id: int, order_id: int, state: OrderState, said: NewSections = NOTHING_SAID
) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for section in runtime.registry().sections:
        if section.record is not kind:
            continue
        try:
            loaded = (
                said[section.name]
                if section.name in said
                else await _load_checked_section(section, owner_id, order_id, state)
            )
        except plugin_calls.PluginFailed:
            # Left out with its defaults: the order itself has been read, or even changed and committed.
            continue
        for id, values in loaded.items():
            found.setdefault(id, {}).update(values)
    return found


async def _load_checked_section(
    section: Section, owner_id: int, order_id: int, state: OrderState
) -> Mapping[int, Mapping[str, Any]]:
    """Return what a section says of one order, checked against its model. Raises ``PluginFailed``."""
    if not _is_wanted(section, state):
        return {}
    return await call_plugin_in(owner_id, section, "section.load", _load_checked, section, owner_id, order_id)


def _is_wanted(section: Section, state: OrderState) -> bool:
    return section.wants is None or run_plugin(section, "section.wants", section.wants, state)


async def _load_checked(section: Section, owner_id: int, order_id: int) -> Mapping[int, Mapping[str, Any]]:
    loaded = await section.load(owner_id, [order_id])
    _check_values(section, loaded)
    return loaded


def _check_values(section: Section, values_by_id: Mapping[int, Mapping[str, Any]]) -> None:
    """Raise ``ValueError`` if values are not those of a section's model."""
    for values in values_by_id.values():
        if unknown := values.keys() - section.fields.model_fields.keys():
            raise ValueError(f"the section {section.name} has no key {min(unknown)}")
        section.fields.model_validate(values)
