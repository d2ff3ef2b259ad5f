"""Prepayments of a store, for its owner."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_payments.records.prepayments import OwnPrepayment, OwnPrepaymentDetail
from comanda_payments.schemas import PrepaymentApplicationBody, PrepaymentQuery, PrepaymentRefundBody
from comanda_payments.services.prepaid import prepayments

routes = Routes("Payments")

PREPAYMENTS_PATH = "/restaurants/{id}/prepayments"
PREPAYMENT_PATH = f"{PREPAYMENTS_PATH}/{{prepaymentId}}"


@routes.get(PREPAYMENTS_PATH, scope="orders:read")
async def list_prepayments(
    caller: Caller, id: int, query: PrepaymentQuery, page: PageRequest
) -> RecordPage[OwnPrepayment]:
    """List gift cards that were sold on the store's page, and deposits, newest first."""
    return await prepayments.list_prepayments(caller, id, query, page)


@routes.get(PREPAYMENT_PATH, scope="orders:read")
async def get_prepayment(caller: Caller, id: int, prepayment_id: int) -> OwnPrepaymentDetail:
    """Return a prepayment with its payments."""
    return await prepayments.get_own_prepayment(caller, id, prepayment_id)


@routes.post(f"{PREPAYMENT_PATH}/refund", scope="orders:write", status=200)
async def refund_prepayment(caller: Caller, id: int, prepayment_id: int, body: PrepaymentRefundBody) -> OwnPrepayment:
    """Refund a paid deposit or a part of it. It is ``refunding`` until the provider has done so."""
    return await prepayments.refund_prepayment(caller, id, prepayment_id, body)


@routes.post(f"{PREPAYMENT_PATH}/keep", scope="orders:write", status=200)
async def keep_prepayment(caller: Caller, id: int, prepayment_id: int) -> OwnPrepayment:
    """Keep a paid deposit, such as that of guests who did not come."""
    return await prepayments.keep_prepayment(caller, id, prepayment_id)


@routes.post(f"{PREPAYMENT_PATH}/apply", scope="orders:write", status=200)
async def apply_prepayment(
    caller: Caller, id: int, prepayment_id: int, body: PrepaymentApplicationBody
) -> OwnPrepayment:
    """Apply a paid deposit to an order. What is above the amount due is refunded."""
    return await prepayments.apply_prepayment(caller, id, prepayment_id, body.order_id)
