"""Orders that wait for a pharmacist, for owners and for staff."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_pharmacy.records import Pharmacists, Release
from comanda_pharmacy.schemas import PharmacistsBody, ReleaseBody, ReleaseQuery
from comanda_pharmacy.services import pharmacies, releases

routes = Routes("Pharmacy")
staff_routes = Routes("Pharmacy", callers=STAFF_ONLY)

RELEASE = "/restaurants/{id}/orders/{orderId}/release"
STAFF_RELEASE = "/staff/orders/{orderId}/release"
PHARMACISTS = "/restaurants/{id}/pharmacists"


@routes.get("/restaurants/{id}/releases", scope="orders:read")
async def list_releases(caller: Caller, id: int, query: ReleaseQuery, page: PageRequest) -> RecordPage[Release]:
    """List the orders that wait for a pharmacist, oldest first, 20 per page, or those with another ``status``."""
    return await releases.list_releases(caller, id, query.status, page)


@routes.get(RELEASE, scope="orders:read")
async def get_release(caller: Caller, id: int, order_id: int) -> Release:
    """Return what a pharmacist decided about an order; 404 for one that needs no release."""
    return await releases.get_release(caller, id, order_id)


@routes.put(RELEASE, scope="orders:write")
async def decide_release(caller: Caller, id: int, order_id: int, body: ReleaseBody) -> Release:
    """Release an order, or refuse it or a line of it. A refused order is cancelled."""
    return await releases.decide(caller, id, order_id, body)


@routes.get(PHARMACISTS, scope="restaurants:read")
async def get_pharmacists(caller: Caller, id: int) -> Pharmacists:
    """Return the members of staff who may release orders; owners always may."""
    return await pharmacies.get_pharmacists(caller, id)


@routes.put(PHARMACISTS, scope="restaurants:write")
async def set_pharmacists(caller: Caller, id: int, body: PharmacistsBody) -> Pharmacists:
    """Set the members of staff who may release orders."""
    return await pharmacies.set_pharmacists(caller, id, body.staff_ids)


@staff_routes.get("/staff/releases", scope=Permission.ORDERS)
async def list_own_releases(caller: Caller, query: ReleaseQuery, page: PageRequest) -> RecordPage[Release]:
    """List the orders of your store that wait for a pharmacist, as for owners."""
    return await releases.list_releases(caller, caller.known_store_id, query.status, page)


@staff_routes.put(STAFF_RELEASE, scope=Permission.ORDERS)
async def decide_own_release(caller: Caller, order_id: int, body: ReleaseBody) -> Release:
    """Release an order, or refuse it or a line of it, as a pharmacist; others get 403 ``pharmacist_required``."""
    return await releases.decide(caller, caller.known_store_id, order_id, body)
