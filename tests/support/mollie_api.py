"""A fake of Mollie's API, with a hosted checkout and terminals, which answers over HTTP like the real one."""

import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count

from aiohttp import web
from comanda.basics import clock

KEY = "test_owner1"
OPERATOR_KEY = "test_operator1"
ORGANIZATION_TOKEN = "access_owner1"
# After which Mollie forgets an idempotency key.
KEY_LIFETIME = timedelta(hours=1)
HAL = "application/hal+json"
# Every payment has a number of its own: tasks find those of other tests too, in the same database.
numbers = count(1)


class Refusal(Exception):
    """Mollie refuses a request, with a status and a sentence."""


@dataclass
class MollieApi:
    """A double of Mollie's interface, by profile: it repeats for an hour what a key asked before.

    ``lose`` lets that many answers get lost after the work is done; ``refuse`` answers everything with that status.
    ``keys`` are the profiles of the keys that it knows, ``organizations`` those of tokens. Payments of a method that
    is not ``is_cancelable`` stay open.
    """

    url: str = ""
    keys: dict[str, str] = field(default_factory=lambda: {KEY: "pfl_own", OPERATOR_KEY: "pfl_operator"})
    organizations: dict[str, str] = field(default_factory=lambda: {ORGANIZATION_TOKEN: "pfl_own"})
    profiles: dict[str, dict] = field(default_factory=dict)
    methods: list[str] = field(default_factory=lambda: ["ideal", "creditcard"])
    payments: dict[str, dict] = field(default_factory=dict)
    refunds: dict[str, dict] = field(default_factory=dict)
    chargebacks: dict[str, dict] = field(default_factory=dict)
    settlements: dict[str, dict] = field(default_factory=dict)
    terminals: dict[str, dict] = field(default_factory=dict)
    by_key: dict[tuple[str, str], tuple] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    lose: int = 0
    refuse: int = 0
    refund_status: str = "refunded"
    is_cancelable: bool = True
    page_size: int = 250

    def __post_init__(self):
        self.add_terminal("term_bar", "Bar", "pfl_own")

    @property
    def payment(self):
        (only,) = self.payments.values()
        return only

    def pay(self, payment):
        if payment["status"] == "open":
            payment |= {"status": "paid", "paidAt": now()}

    def decline(self, payment):
        if payment["status"] == "open":
            reason = {"code": "insufficient_funds", "message": "The card has not enough funds."}
            payment |= {"status": "failed", "statusReason": reason}

    def refund(self, payment, value, status=None, metadata=None):
        """Refund part of a payment, as in the dashboard, unless with what Comanda adds."""
        left = float(payment["amount"]["value"]) - float(payment.get("amountRefunded", {"value": 0})["value"])
        if payment["status"] != "paid" or float(value) > left + 0.001:
            raise Refusal(422, "The amount is higher than the maximum")
        number = f"re_{len(self.refunds) + 1}"
        self.refunds[number] = made = {
            "resource": "refund", "id": number, "mode": "test", "description": "", "metadata": metadata,
            "amount": {"currency": payment["amount"]["currency"], "value": value}, "paymentId": payment["id"],
            "status": status or self.refund_status, "createdAt": now(), "_profile": payment["_profile"],
            "_links": self.link(f"/v2/refunds/{number}", payment),
        }  # fmt: skip
        refunded = float(payment["amount"]["value"]) - left + float(value)
        payment["amountRefunded"] = {"currency": payment["amount"]["currency"], "value": f"{refunded:.2f}"}
        return made

    def charge_back(self, payment):
        number = f"chb_{payment['id']}"
        self.chargebacks[number] = {
            "resource": "chargeback", "id": number, "amount": payment["amount"], "paymentId": payment["id"],
            "createdAt": now(), "reversedAt": None, "reason": {"code": "AC01", "description": "Account incorrect"},
            "_links": self.link(f"/v2/chargebacks/{number}", payment), "_profile": payment["_profile"],
        }  # fmt: skip
        payment["amountChargedBack"] = payment["amount"]
        return self.chargebacks[number]

    def settle(self, profile, costs=()):
        """Settle what a profile was paid, has refunded and has lost, less costs."""
        number = f"stl_{len(self.settlements) + 1}"
        things = [*self.payments.values(), *self.refunds.values(), *self.chargebacks.values()]
        due = [each for each in things if each["_profile"] == profile and each.get("status") not in UNSETTLED]
        due = [each for each in due if each.setdefault("_settlement", number) == number]
        total = sum(float(each["amount"]["value"]) * (1 if each["resource"] == "payment" else -1) for each in due)
        total -= sum(float(value) for _, value in costs)
        periods = {"costs": [create_cost(*each) for each in costs], "revenue": []}
        self.settlements[number] = {
            "resource": "settlement", "id": number, "status": "pending", "createdAt": now(), "settledAt": now(),
            "amount": {"currency": "EUR", "value": f"{total:.2f}"}, "balanceId": "bal_1", "reference": "1.2611.01",
            "periods": {"2026": {"11": periods}}, "_links": self.link(f"/v2/settlements/{number}"),
            "_profile": profile,
        }  # fmt: skip
        return self.settlements[number]

    def add_terminal(self, number, name, profile):
        self.terminals[number] = {
            "resource": "terminal", "id": number, "mode": "test", "description": name, "status": "active",
            "brand": "PAX", "model": "A920", "serialNumber": "1", "currency": "EUR", "profileId": profile,
            "createdAt": now(), "updatedAt": now(), "_links": self.link(f"/v2/terminals/{number}"),
            "_profile": profile,
        }  # fmt: skip

    def get_asking(self, terminal):
        """Return the payment that a terminal asks a card for."""
        asking = [each for each in self.payments.values()
                  if each["_terminal"] == terminal and each["status"] == "open"]  # fmt: skip
        return asking[-1] if asking and self.terminals[terminal]["status"] == "active" else None

    async def answer(self, request):
        self.asked.append(f"{request.method} {request.path}")
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        is_organization = given in self.organizations
        profile = self.keys.get(given) or self.organizations.get(given)
        if profile is None or is_organization != request.path.startswith("/v2/settlements"):
            return respond(401 if profile is None else 403, create_problem(401, "Missing authentication"))
        if self.refuse:
            return respond(self.refuse, create_problem(self.refuse, "Not today."))
        body = json.loads(await request.text() or "{}")
        key = (request.headers["Idempotency-Key"], request.path)
        if request.method == "POST" and key in self.by_key and self.by_key[key][0] > clock.now() - KEY_LIFETIME:
            status, made = 201, self.by_key[key][1]
        else:
            try:
                status, made = self.make(request, body, profile)
            except KeyError:
                status, made = 404, create_problem(404, "No such thing exists")
            except Refusal as refusal:
                status, made = refusal.args[0], create_problem(*refusal.args)
        if status == 201:
            self.by_key.setdefault(key, (clock.now(), made))
        if self.lose:
            self.lose -= 1
            request.transport.close()
        return respond(status, made)

    def make(self, request, body, profile):
        parts = request.path.split("/")[2:]
        if request.method == "GET":
            return 200, self.read(request, parts, profile)
        match request.method, parts:
            case "POST", ["payments"]:
                return 201, self.create_payment(body, profile)
            case "DELETE", ["payments", number]:
                return 200, self.cancel(self.of(profile, self.payments[number]))
            case "POST", ["payments", number, "refunds"]:
                payment = self.of(profile, self.payments[number])
                return 201, self.refund(payment, body["amount"]["value"], metadata=body["metadata"])
        raise KeyError

    def read(self, request, parts, profile):
        match parts:
            case ["profiles", "me"]:
                found = self.get_profile(profile)
            case ["methods"]:
                found = self.list_methods()
            case ["payments", number, "refunds", refund]:
                found = self.of(profile, self.refunds[refund], paymentId=number)
            case ["settlements" | "payments" as owner, number, kind]:
                self.of(profile, getattr(self, owner)[number])
                name = "_settlement" if owner == "settlements" else "paymentId"
                found = self.list_of(request, kind, profile, **{name: number})
            case [kind]:
                found = self.list_of(request, kind, profile)
            case [kind, number]:
                found = self.of(profile, getattr(self, kind)[number])
        return found

    def cancel(self, payment):
        if payment["status"] != "open" or not self.is_cancelable:
            raise Refusal(422, "The payment cannot be cancelled")
        payment |= {"status": "canceled", "canceledAt": now()}
        return payment

    def create_payment(self, body, profile):
        number = f"tr_{next(numbers)}"
        terminal = body.get("terminalId")
        if terminal is not None:
            self.of(profile, self.terminals[terminal])
        links = self.link(f"/v2/payments/{number}") | {"dashboard": create_link(f"{self.url}/dashboard/{number}")}
        if terminal is None:
            links["checkout"] = create_link(f"{self.url}/pay/{number}")
        self.payments[number] = {
            "resource": "payment", "id": number, "mode": "test", "createdAt": now(), "status": "open",
            "isCancelable": self.is_cancelable, "sequenceType": "oneoff", "profileId": profile, "method": None,
            **{name: body[name] for name in ("amount", "description", "redirectUrl", "metadata")},
            "webhookUrl": body.get("webhookUrl"), "_links": links, "_profile": profile, "_terminal": terminal,
        }  # fmt: skip
        return self.payments[number]

    def get_profile(self, profile):
        return self.profiles.setdefault(profile, {
            "resource": "profile", "id": profile, "mode": "test", "name": "Café", "website": "https://cafe.example",
            "email": "cafe@example.com", "phone": "+31208202070", "businessCategory": "RESTAURANTS",
            "status": "verified", "createdAt": now(), "_links": self.link(f"/v2/profiles/{profile}"),
        })  # fmt: skip

    def list_methods(self):
        found = [{"resource": "method", "id": each, "description": each, "status": "activated",
                  "minimumAmount": {"currency": "EUR", "value": "0.01"}, "maximumAmount": None,
                  "image": {"size1x": "", "size2x": "", "svg": ""}, "_links": self.link(f"/v2/methods/{each}"),
                  } for each in self.methods]  # fmt: skip
        return {"count": len(found), "_embedded": {"methods": found}, "_links": self.list_links(None)}

    def list_of(self, request, kind, profile, **fields):
        """Return a page of things, the newest first, and where the next one is."""
        found = [each for each in getattr(self, kind).values() if each["_profile"] == profile]
        found = [each for each in found[::-1] if all(each.get(name) == value for name, value in fields.items())]
        first = request.query.get("from", found[0]["id"] if found else "")
        rest = found[[each["id"] for each in found].index(first) :] if found else []
        size = min(int(request.query.get("limit", 50)), self.page_size)
        following = f"{self.url}{request.path}?from={rest[size]['id']}&limit={size}" if rest[size:] else None
        return {
            "count": len(rest[:size]), "_embedded": {kind: rest[:size]}, "_links": self.list_links(following),
        }  # fmt: skip

    def list_links(self, following):
        links = {"self": create_link(self.url), "documentation": create_link(self.url, "text/html")}
        return links | {"previous": None, "next": create_link(following) if following else None}

    def link(self, path, payment=None):
        links = {"self": create_link(f"{self.url}{path}"), "documentation": create_link(self.url, "text/html")}
        return links | ({"payment": create_link(f"{self.url}/v2/payments/{payment['id']}")} if payment else {})

    def of(self, profile, thing, **fields):
        """Return what belongs to a profile, as if there were nothing else."""
        if thing["_profile"] != profile or any(thing[name] != value for name, value in fields.items()):
            raise KeyError
        return thing

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


UNSETTLED = ("open", "pending", "failed", "canceled", "expired", "queued", "processing")


def now():
    return clock.now().isoformat()


def create_link(url, kind=HAL):
    return {"href": url, "type": kind}


def create_cost(description, value):
    amount = {"currency": "EUR", "value": value}
    return {"description": description, "method": "ideal", "count": 1, "rate": {"fixed": amount, "percentage": "0"},
            "amountNet": amount, "amountVat": None, "amountGross": amount}  # fmt: skip


def create_problem(status, detail):
    links = {"documentation": create_link("https://docs.mollie.com", "text/html")}
    return {"status": status, "title": "No", "detail": detail, "_links": links}


def respond(status, made):
    shown = {name: value for name, value in made.items() if name not in ("_profile", "_terminal", "_settlement")}
    return web.json_response(shown, status=status, content_type=HAL)
