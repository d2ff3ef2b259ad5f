"""The fakes of Stripe and Mollie beside real servers, where the operator has an account: guests, webhooks and books."""

import asyncio
import json
import threading
from contextlib import contextmanager
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import stripe
from comanda.devkit.testing import send_request
from hosted_checkout import OPERATOR_KEY, OPERATOR_SECRET, Gateway
from mollie_api import OPERATOR_KEY as MOLLIE_KEY
from mollie_api import MollieApi


class StripeBank:
    """Stripe, which signs what it reports."""

    method = "stripe"

    def __init__(self):
        self.api = Gateway()

    def get_variables(self):
        return {
            "COMANDA_STRIPE_URL": self.api.url,
            "COMANDA_STRIPE_SECRET_KEY": OPERATOR_KEY,
            "COMANDA_STRIPE_WEBHOOK_SECRET": OPERATOR_SECRET,
        }

    def pay(self, page):
        self.api.pay(self.api.sessions[page])

    def report(self, url, page):
        event = {"type": "checkout.session.completed", "data": {"object": self.api.sessions[page]}}
        signature = stripe.WebhookSignature.generate_signature_header(json.dumps(event), OPERATOR_SECRET)
        return send_request("POST", url, "", event, Stripe_Signature=signature)

    def list_collected(self):
        assert {session["payment_status"] for session in self.api.sessions.values()} == {"paid"}
        return {session["id"]: session["amount_total"] for session in self.api.sessions.values()}

    def list_refunded(self):
        return {name: int(refund["amount"]) for name, refund in self.api.refunds.items()}


class MollieBank:
    """Mollie, which says that something has happened to a payment, and is asked what."""

    method = "mollie"

    def __init__(self):
        self.api = MollieApi()

    def get_variables(self):
        return {"COMANDA_MOLLIE_URL": self.api.url, "COMANDA_MOLLIE_API_KEY": MOLLIE_KEY}

    def pay(self, page):
        self.api.pay(self.api.payments[page])

    def report(self, url, page):
        try:
            with urlopen(Request(url, urlencode({"id": page}).encode()), timeout=20) as response:
                return response.status, None
        except HTTPError as error:
            with error:
                return error.code, None
        except (OSError, HTTPException):
            return 0, None

    def list_collected(self):
        assert {payment["status"] for payment in self.api.payments.values()} == {"paid"}
        return {name: to_minor(payment) for name, payment in self.api.payments.items()}

    def list_refunded(self):
        return {f"{refund['paymentId']}/{name}": to_minor(refund) for name, refund in self.api.refunds.items()}


def to_minor(thing):
    return round(float(thing["amount"]["value"]) * 100)


@contextmanager
def serve_in_a_thread(fake):
    """Serve a fake of a provider in a separate thread while the block runs."""
    loop, over, is_up = asyncio.new_event_loop(), asyncio.Event(), threading.Event()

    async def work():
        async with fake.serving():
            is_up.set()
            await over.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(work(),), daemon=True)
    thread.start()
    is_up.wait()
    try:
        yield fake
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()
