"""Routes of stores for owners."""

from comanda.contracts.orders.intake_status import IntakeStatus
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import Call, Unvalidated
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.contracts.requests.routes import Routes
from comanda.platform.photos.uploads import PHOTO_UPLOAD, parse_photo
from comanda.stores import creation, intake_status, pictures, services, store_settings
from comanda.stores.intake_status import PaceBody
from comanda.stores.pictures import StorePictureUpload, parse_kind
from comanda.stores.records import GeneralSettings, PluginSettingsForm, StoreOverview, StoreSummary, StoreType
from comanda.stores.schemas import SettingsChange, SettingsOut, StoreBody, StoreDetail

routes = Routes("Stores")


@routes.get("/restaurants", scope="restaurants:read")
async def list_stores(caller: Caller, page: PageRequest) -> RecordPage[StoreSummary]:
    """List your stores, newest first, 20 per page."""
    return await services.list_stores(caller, page)


@routes.get("/store-types", scope="restaurants:read")
async def list_store_types(caller: Caller) -> list[StoreType]:
    """List the types that a new store may have, with what stores of each can do."""
    return creation.list_store_types()


@routes.post("/restaurants", scope="restaurants:write", answers=StoreDetail, is_delegable=False)
async def create_store(caller: Caller, body: StoreBody) -> StoreOverview:
    """Create a store. Its type and currency stay as they are from then on."""
    return await creation.create_store(caller, body)


@routes.get("/restaurants/{id}", scope="restaurants:read", answers=StoreDetail)
async def get_store(caller: Caller, id: int) -> StoreOverview:
    """Return a store with its categories, their item counts, and whether it is open."""
    return await services.get_store(caller, id)


@routes.get("/restaurants/{id}/settings", scope="restaurants:read", answers=SettingsOut)
async def get_settings(caller: Caller, id: int) -> GeneralSettings:
    """Return a store's settings: location, hours, taxes, service charge, cash rounding."""
    return await services.get_settings(caller, id)


@routes.put("/restaurants/{id}/settings", scope="restaurants:write", answers=SettingsOut)
async def update_settings(caller: Caller, id: int, body: SettingsChange) -> GeneralSettings:
    """Update a store's settings; fields left out stay as they are, ``hours`` are replaced as a whole."""
    return await services.update_settings(caller, id, body)


@routes.post("/restaurants/{id}/pictures/{kind}", scope="restaurants:write", answers=SettingsOut, upload=PHOTO_UPLOAD)
async def set_picture(
    caller: Caller, id: int, kind: str, call: Call, body: Unvalidated[StorePictureUpload]
) -> GeneralSettings:
    """Set a store's ``logo``, or the ``cover`` of its page, and return its settings.

    It is a JPEG, PNG or WebP, as the part ``photo`` of a form or as Base64 in JSON, and is converted as photos of items
    are.
    """
    return await pictures.set_picture(caller, id, parse_kind(kind), await parse_photo(call, body))


@routes.delete("/restaurants/{id}/pictures/{kind}", scope="restaurants:write")
async def remove_picture(caller: Caller, id: int, kind: str) -> None:
    """Remove a store's ``logo`` or ``cover``."""
    await pictures.remove_picture(caller, id, parse_kind(kind))


@routes.get("/restaurants/{id}/intake-status", scope="restaurants:read")
async def get_intake_status(caller: Caller, id: int) -> IntakeStatus:
    """Return whether a store takes orders: online, busy or paused."""
    return await intake_status.get_intake_status(caller, id)


@routes.put("/restaurants/{id}/intake-status", scope="restaurants:write")
async def update_intake_status(caller: Caller, id: int, body: PaceBody) -> IntakeStatus:
    """Set a store to online, busy or paused; busy and paused end at ``until``, at the latest when it closes."""
    return await intake_status.update_intake_status(caller, id, body)


@routes.get("/restaurants/{id}/settings-forms", scope="restaurants:read")
async def list_settings_forms(caller: Caller, id: int) -> list[PluginSettingsForm]:
    """List the settings that plugins add to a store, each with the JSON schema of its form and the current values."""
    return await store_settings.list_forms(caller, id)
