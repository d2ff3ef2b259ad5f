"""Webhooks of Mollie, which are not signed: each only names a payment, and Mollie is asked with the key of its account.

So anybody may send one, and reaches nothing but one question about a payment of the account that is addressed.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from comanda.basics import BadRequest, LazyModule, NotFound, Unavailable
from comanda.contracts import PaymentAccount, PaymentDeclined, PaymentReport, WebhookReport, WebhookRequest

from comanda_mollie.client import UNAUTHORIZED, NoKey, open_client
from comanda_mollie.provider.disputes import list_chargebacks
from comanda_mollie.provider.outcomes import get_key, to_outcome
from comanda_mollie.provider.refunds import list_refunds

if TYPE_CHECKING:
    import httpx
    import mollie
else:
    httpx = LazyModule("httpx")
    mollie = LazyModule("mollie")

MAX_BODY_LENGTH: Final = 500
MAX_FIELDS: Final = 10
PAYMENT_ID: Final = re.compile(r"tr_[A-Za-z0-9]{1,50}")


async def verify_webhook(account: PaymentAccount | None, webhook: WebhookRequest) -> Sequence[WebhookReport]:
    """Return what Mollie says of the payment that a webhook names, nothing of one that the account does not have.

    Raises ``BadRequest`` for what names nothing; ``NotFound`` without a key; ``Unavailable``.
    """
    payment_id = _parse_id(webhook.body)
    try:
        async with open_client(account) as client:
            return await _list_reports(client, payment_id)
    except NoKey as error:
        raise NotFound from error
    except PaymentDeclined:
        return []
    except mollie.ClientError as error:
        if error.status_code in UNAUTHORIZED:
            return []
        raise Unavailable from error
    except (httpx.HTTPError, mollie.NoResponseError) as error:
        raise Unavailable from error  # Mollie sends it again


async def _list_reports(client: "mollie.ClientSDK", payment_id: str) -> list[WebhookReport]:
    payment = await client.payments.get_async(payment_id=payment_id)
    if (key := get_key(payment.metadata)) is None:
        return []
    reports: list[WebhookReport] = [PaymentReport(key, payment.id, to_outcome(payment))]
    if payment.amount_refunded:
        reports += await list_refunds(client, payment.id)
    if payment.amount_charged_back:
        reports += await list_chargebacks(client, payment.id)
    return reports


def _parse_id(body: bytes) -> str:
    try:
        [payment_id] = parse_qs(body[: MAX_BODY_LENGTH + 1].decode("ascii"), max_num_fields=MAX_FIELDS)["id"]
    except (ValueError, KeyError) as error:
        raise BadRequest("The webhook names nothing.") from error
    if len(body) > MAX_BODY_LENGTH or not PAYMENT_ID.fullmatch(payment_id):
        raise BadRequest("The webhook names no payment.")
    return payment_id
