"""A fake of Stripe, with accounts and a hosted checkout, which answers over HTTP like the real one."""

import json
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import stripe
from aiohttp import web

KEY = "sk_test_1"
SECRET = "whsec_test_1"
OPERATOR_KEY = "sk_test_operator"
OPERATOR_SECRET = "whsec_test_operator"


REGISTRATION_CODE = "simulated-wpe"
# What it keeps of a payment.
FEE_MINOR = 55


class Refusal(Exception):
    """Stripe refuses a request."""


@dataclass
class Gateway:
    """A double of Stripe's interface: it keeps sessions and refunds, and repeats what a key asked before.

    ``lose`` lets that many answers get lost after the work is done; ``refuse`` answers everything with that status,
    and ``failing`` are the kinds of things that it cannot be asked about.
    ``keys`` are the accounts of the keys that it knows.
    """

    url: str = ""
    sessions: dict[str, dict] = field(default_factory=dict)
    refunds: dict[str, dict] = field(default_factory=dict)
    by_key: dict[str, dict] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    lose: int = 0
    refuse: int = 0
    failing: tuple[str, ...] = ()
    failing_status: int = 503
    refund_status: str = "succeeded"
    keys: dict[str, str] = field(default_factory=lambda: {KEY: "acct_own", OPERATOR_KEY: "acct_operator"})
    accounts: dict[str, dict] = field(default_factory=dict)
    endpoints: list[dict] = field(default_factory=list)
    intents: dict[str, dict] = field(default_factory=dict)
    readers: dict[str, dict] = field(default_factory=dict)
    disputes: dict[str, dict] = field(default_factory=dict)
    payouts: dict[str, dict] = field(default_factory=dict)
    transactions: dict[str, dict] = field(default_factory=dict)
    locations: list[dict] = field(default_factory=lambda: [{"id": "tml_1", "object": "terminal.location"}])

    def dispute(self, session, status="needs_response"):
        """Dispute the payment of a session, or give its dispute another status."""
        intent = session["payment_intent"]
        self.disputes[intent] = {
            "id": f"du_{intent}", "object": "dispute", "payment_intent": intent, "status": status, "livemode": False,
            "amount": session["amount_total"], "currency": session["currency"], "reason": "fraudulent",
            "evidence_details": {"due_by": 1_900_000_000}, "_account": session["_account"],
        }  # fmt: skip
        return self.disputes[intent]

    def pay_out(self, account):
        """Pay out what an account was paid and has refunded, less fees; the payout is among its own transactions."""
        reference = f"po_{len(self.payouts) + 1}"
        due = [
            self.add_transaction(
                "charge",
                {"object": "charge", "payment_intent": each["payment_intent"]},
                f"txn_{each['id']}",
                each["amount_total"],
                FEE_MINOR,
            )
            for each in self.sessions.values()
            if each["_account"] == account and each["payment_status"] == "paid"
        ]
        due += [
            self.add_transaction("refund", {"object": "refund", **each}, f"txn_{each['id']}", -int(each["amount"]))
            for each in self.refunds.values()
            if each["_account"] == account
        ]
        due += [
            self.add_transaction("adjustment", each, f"txn_{each['id']}", -each["amount"], 1500)
            for each in self.disputes.values()
            if each["_account"] == account and each["status"] == "lost"
        ]
        due = [each for each in due if each.setdefault("_payout", reference) == reference]
        amount = sum(each["amount"] - each["fee"] for each in due)
        self.payouts[reference] = {
            "id": reference, "object": "payout", "amount": amount, "currency": "eur", "status": "in_transit",
            "arrival_date": 1_900_000_000, "automatic": True, "reconciliation_status": "completed",
            "failure_message": None, "failure_code": None, "_account": account,
        }  # fmt: skip
        made = self.add_transaction("payout", self.payouts[reference], f"txn_{reference}", -amount)
        made["_payout"] = reference
        return self.payouts[reference]

    def add_transaction(self, kind, source, reference, amount, fee=0):
        made = {"id": reference, "object": "balance_transaction", "type": kind, "amount": amount, "fee": fee,
                "net": amount - fee, "currency": "eur", "source": source, "description": None}  # fmt: skip
        return self.transactions.setdefault(reference, made)

    def pay(self, session):
        session |= {"status": "complete", "payment_status": "paid", "payment_intent": f"pi_{session['id']}"}

    @property
    def session(self):
        (only,) = self.sessions.values()
        return only

    async def answer(self, request):
        self.asked.append(f"{request.method} {request.path}")
        key = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if key not in self.keys:
            return web.json_response({"error": {"message": "Unknown key."}}, status=401)
        if request.path.split("/")[2] in self.failing:
            return web.json_response({"error": {"message": "Try again."}}, status=self.failing_status)
        if self.refuse:
            return web.json_response({"error": {"message": "Not today."}}, status=self.refuse)
        account = request.headers.get("Stripe-Account") or self.keys[key]
        status, made = self.work(
            request.method, request.path, {**request.query, **await request.post()}, request.headers, account
        )
        if self.lose:
            self.lose -= 1
            request.transport.close()
        return web.json_response(made, status=status)

    def work(self, method, path, fields, headers, account):
        key = headers.get("Idempotency-Key")
        if key in self.by_key:
            return 200, self.by_key[key]
        try:
            return self.make(method, path, fields, key, account)
        except KeyError:
            return 404, {"error": {"message": f"No such object: {path}", "type": "invalid_request_error"}}
        except Refusal as refusal:
            return 400, {"error": {"message": str(refusal), "type": "invalid_request_error"}}

    def make(self, method, path, fields, key, account):
        match path.split("/")[2:]:
            case ["checkout", "sessions"]:
                made = self.open(fields, account)
                self.by_key[key] = self.sessions[made["id"]] = made
            case ["checkout", "sessions", session_id]:
                made = self.of(account, self.sessions[session_id])
            case ["checkout", "sessions", session_id, "expire"]:
                made = self.of(account, self.sessions[session_id])
                if made["status"] != "open":
                    return 400, {"error": {"message": "Only open sessions can expire."}}
                made["status"] = "expired"
            case ["payment_intents" | "terminal", *_] as parts:
                made = self.work_in_person(method, parts, fields, key, account)
            case ["disputes"]:
                data = [each for each in self.disputes.values() if each["_account"] == account]
                made = {"object": "list", "data": data, "has_more": False, "url": "/v1/disputes"}
            case ["payouts" | "balance_transactions", *_] as parts:
                made = self.list_payouts(parts, fields, account)
            case ["refunds"]:
                intent = fields["payment_intent"]
                self.of(account, self.intents.get(intent) or self.sessions[intent.removeprefix("pi_")])
                made = {
                    "id": f"re_{len(self.refunds) + 1}", "status": self.refund_status, "_account": account, **fields
                }  # fmt: skip
                self.by_key[key] = self.refunds[made["id"]] = made
            case ["refunds", refund_id]:
                made = self.of(account, self.refunds[refund_id])
            case parts:
                made = self.make_account(parts, fields, key, account)
        return 200, made

    def list_payouts(self, parts, fields, account):
        match parts:
            case ["payouts"]:
                # The newest first, as Stripe has them.
                data = [each for each in self.payouts.values() if each["_account"] == account][::-1]
            case ["payouts", payout_id]:
                return self.of(account, self.payouts[payout_id])
            case ["balance_transactions"]:
                self.of(account, self.payouts[fields["payout"]])
                data = [each for each in self.transactions.values() if each.get("_payout") == fields["payout"]]
        return {"object": "list", "data": data, "has_more": False, "url": f"/v1/{parts[0]}"}

    def work_in_person(self, method, parts, fields, key, account):
        """Work as Terminal does: intents of readers, which a reader collects once it is told to."""
        match parts:
            case ["payment_intents"]:
                made = {
                    "id": f"pi_in_person_{len(self.intents) + 1}", "object": "payment_intent",
                    "status": "requires_payment_method", "amount": int(fields["amount"]), "amount_received": 0,
                    "last_payment_error": None, "_account": account,
                    "metadata": {name: fields[f"metadata[{name}]"] for name in ("comanda_payment", "comanda_reader")},
                    "_fee": int(fields.get("application_fee_amount", 0)),
                }  # fmt: skip
                self.by_key[key] = self.intents[made["id"]] = made
            case ["payment_intents", intent_id]:
                made = self.of(account, self.intents[intent_id])
            case ["payment_intents", intent_id, "cancel"]:
                made = self.of(account, self.intents[intent_id])
                if made["status"] != "requires_payment_method":
                    raise Refusal(f"You cannot cancel this PaymentIntent because it is {made['status']}.")
                made["status"] = "canceled"
            case ["terminal", "locations"]:
                made = {"object": "list", "data": self.locations, "has_more": False, "url": "/v1/terminal/locations"}
            case ["terminal", "readers"] if method == "GET":
                data = [each for each in self.readers.values() if each["_account"] == account]
                made = {"object": "list", "data": data, "has_more": False, "url": "/v1/terminal/readers"}
            case ["terminal", "readers"]:
                if fields["registration_code"] != REGISTRATION_CODE:
                    raise Refusal("No such reader.")
                made = {
                    "id": f"tmr_{len(self.readers) + 1}", "object": "terminal.reader", "status": "online",
                    "label": fields["label"], "location": fields["location"], "action": None, "_account": account,
                }  # fmt: skip
                self.readers[made["id"]] = made
            case ["terminal", "readers", reader_id, *act]:
                made = self.of(account, self.readers[reader_id])
                self.work_on_reader(method, made, act, fields, key)
        return made

    def work_on_reader(self, method, reader, act, fields, key):
        if act == [] and method == "POST":
            reader["label"] = fields["label"]
        elif act == [] and method == "DELETE":
            del self.readers[reader["id"]]
        elif act == ["cancel_action"]:
            if reader["status"] != "online":
                raise Refusal("Reader is currently unreachable.")
            reader["action"] = None
        elif act == ["process_payment_intent"]:
            if reader["status"] != "online":
                raise Refusal("Reader is currently unreachable.")
            if self.intents[fields["payment_intent"]]["status"] != "requires_payment_method":
                raise Refusal("This PaymentIntent cannot be processed.")
            reader["action"] = {"process_payment_intent": {"payment_intent": fields["payment_intent"]}}
            self.by_key[key] = reader

    def hold_card(self, reader_id, *, is_declined=False):
        """Hold a card to a reader, which only matters while it asks for one."""
        reader = self.readers[reader_id]
        if reader["status"] != "online" or reader["action"] is None:
            return
        intent = self.intents[reader["action"]["process_payment_intent"]["payment_intent"]]
        reader["action"] = None
        if intent["status"] != "requires_payment_method":
            return
        if is_declined:
            intent["last_payment_error"] = {"message": "Your card was declined."}
        else:
            intent |= {"status": "succeeded", "amount_received": intent["amount"]}

    def make_account(self, parts, fields, key, account):
        match parts:
            case ["account"]:
                made = self.accounts.setdefault(account, {"id": account, "charges_enabled": True})
            case ["accounts"]:
                metadata = {"comanda_account": fields["metadata[comanda_account]"]}
                made = {"id": f"acct_{len(self.accounts) + 1}", "charges_enabled": False, "metadata": metadata}
                self.by_key[key] = self.accounts[made["id"]] = made
            case ["accounts", account_id]:
                made = self.accounts[account_id]
            case ["account_links"]:
                made = {"url": f"{self.url}/page/{fields['account']}", "created": 1}
            case ["webhook_endpoints"]:
                made = {"id": "we_1", "secret": SECRET, **fields}
                self.by_key[key] = made
                self.endpoints.append(made)
        return made

    def of(self, account, thing):
        """Return what belongs to an account, as if there were nothing else."""
        if thing["_account"] != account:
            raise KeyError
        return thing

    def sign_event(self, kind, thing, *, secret=SECRET, sent_at=None, **fields):
        """Return the body and the headers of a webhook about something."""
        body = json.dumps({"type": kind, "data": {"object": thing}, **fields})
        at = int(time.time()) if sent_at is None else sent_at
        signature = stripe.WebhookSignature.generate_signature_header(body, secret, at)
        return body.encode(), {"Stripe-Signature": signature}

    def open(self, fields, account):
        session_id = f"cs_{len(self.sessions) + 1}"
        return {
            "id": session_id, "url": f"{self.url}/pay/{session_id}", "status": "open", "payment_status": "unpaid",
            "client_reference_id": fields["client_reference_id"], "payment_intent": None,
            "amount_total": int(fields["line_items[0][price_data][unit_amount]"]),
            "currency": fields["line_items[0][price_data][currency]"], "expires_at": int(fields["expires_at"]),
            "success_url": fields["success_url"], "_account": account,
            "_fee": int(fields.get("payment_intent_data[application_fee_amount]", 0)),
        }  # fmt: skip

    @asynccontextmanager
    async def serving(self):
        """Serve on the loopback interface at ``url`` while the block runs."""
        server = web.Application()
        server.router.add_route("*", "/{path:.*}", self.answer)
        runner = web.AppRunner(server, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield self
        finally:
            await runner.cleanup()
