"""Settings of a store that plugins add: their values and their forms."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar

import orjson
import structlog
from pydantic import ValidationError

from comanda.basics import clock
from comanda.basics.encoding import to_json
from comanda.basics.errors import NotFound
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import Unvalidated
from comanda.contracts.requests.routes import API_PREFIX
from comanda.contracts.requests.validation import parse_body
from comanda.contracts.stores.settings import StoreSettings, StoreSettingsFields
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.stores.records import PluginSettingsForm, find_vertical
from comanda.stores.services import bump_menu_version, require_store

F = TypeVar("F", bound=StoreSettingsFields)

log = structlog.get_logger(__name__)

SELECT_VALUES: Final = """
    SELECT values FROM core_store_setting WHERE owner_id = $1 AND store_id = $2 AND plugin = $3
"""
SELECT_VALUES_OF_STORE: Final = "SELECT plugin, values FROM core_store_setting WHERE owner_id = $1 AND store_id = $2"
LOCK_STORE: Final = "SELECT id FROM core_store WHERE owner_id = $1 AND id = $2 FOR NO KEY UPDATE"
SAVE_VALUES: Final = """
    INSERT INTO core_store_setting (owner_id, store_id, plugin, values, updated_at)
    VALUES ($1, $2, $3, $4::jsonb, $5)
    ON CONFLICT (owner_id, store_id, plugin) DO UPDATE SET values = excluded.values, updated_at = excluded.updated_at
"""


async def get_store_settings(kind: type[F], owner_id: int, store_id: int) -> F:
    """Return a store's settings of one plugin, by the class of their fields; what was never set has its default.

    Reads one row. The participants of orders call it in their ``load``, whose result is kept until a setting changes.
    """
    declared = next((each for each in runtime.registry().store_settings.values() if each.fields is kind), None)
    if declared is None:
        raise LookupError(f"No plugin registers store settings with the fields {kind.__name__}.")
    stored = await sql.fetch_value(SELECT_VALUES, owner_id, store_id, declared.plugin)
    return _parse_stored(kind, stored)


async def get_settings(declared: StoreSettings, caller: Caller, store_id: int) -> StoreSettingsFields:
    """Return a store's settings of one plugin. Raises ``NotFound`` like ``require_store``, or if it has none."""
    await _require_settings(declared, caller, store_id)
    return await get_store_settings(declared.fields, caller.owner_id, store_id)


async def update_store_settings(
    declared: StoreSettings, caller: Caller, store_id: int, body: Unvalidated[StoreSettingsFields]
) -> StoreSettingsFields:
    """Update a store's settings of one plugin and return them; fields that are left out stay as they are.

    The next order sees them, because the store's terms are loaded again. Raises ``NotFound`` like ``get_settings``, and
    ``ValidationFailed``.
    """
    async with sql.transaction():
        await _require_settings(declared, caller, store_id)
        # Locked, because two requests may change different fields at once.
        await sql.execute(LOCK_STORE, caller.owner_id, store_id)
        stored = await sql.fetch_value(SELECT_VALUES, caller.owner_id, store_id, declared.plugin)
        changed = _merge(declared.fields, stored, body)
        values = to_json(changed.model_dump(mode="json", by_alias=True, exclude_unset=True)).decode()
        await sql.execute(SAVE_VALUES, caller.owner_id, store_id, declared.plugin, values, clock.now())
        await bump_menu_version(caller.owner_id, store_id)
    return changed


async def list_forms(caller: Caller, store_id: int) -> list[PluginSettingsForm]:
    """List the settings that plugins add to a store: schema and values. Raises ``NotFound`` like ``require_store``."""
    store = await require_store(caller, store_id)
    rows = await sql.fetch(SELECT_VALUES_OF_STORE, caller.owner_id, store_id)
    stored = {row["plugin"]: row["values"] for row in rows}
    return [
        PluginSettingsForm(
            plugin=declared.plugin,
            title=declared.title,
            path=f"{API_PREFIX}/restaurants/{store_id}/settings/{declared.plugin}",
            form=declared.fields.model_json_schema(),
            values=_parse_stored(declared.fields, stored.get(declared.plugin)).model_dump(mode="json"),
        )
        for declared in runtime.registry().store_settings.values()
        if _concerns(declared, store["store_type"])
    ]


async def _require_settings(declared: StoreSettings, caller: Caller, store_id: int) -> None:
    store = await require_store(caller, store_id)
    if not _concerns(declared, store["store_type"]):
        raise NotFound


def _concerns(declared: StoreSettings, store_type: str) -> bool:
    vertical = find_vertical(store_type)
    return declared.capability is None or (vertical is not None and declared.capability in vertical.capabilities)


def _merge(
    kind: type[StoreSettingsFields], stored: str | None, body: Unvalidated[StoreSettingsFields]
) -> StoreSettingsFields:
    """Validate what the store will have: what is stored, and over it what is given."""
    given = body.get_document()
    if not isinstance(given, Mapping):
        return body.validated()
    known = _parse_stored(kind, stored).model_dump(mode="json", by_alias=True, exclude_unset=True)
    return parse_body(kind, to_json({**known, **given}))


def _parse_stored(kind: type[F], stored: str | None) -> F:
    """Parse stored values; one that an earlier version of the plugin took, and this one does not, has its default."""
    values: dict[str, Any] = orjson.loads(stored) if stored else {}
    try:
        return kind.model_validate_json(to_json(values))
    except ValidationError as error:
        wrong = {problem["loc"][0] for problem in error.errors() if problem["loc"]}
    log.warning("store_settings_invalid", settings=kind.__name__, fields=sorted(map(str, wrong)))
    try:
        return kind.model_validate_json(to_json({name: value for name, value in values.items() if name not in wrong}))
    except ValidationError:
        return kind()
