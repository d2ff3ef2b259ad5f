"""A fake payment gateway with a hosted checkout, which answers over HTTP like the real one."""

import asyncio
import threading
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from aiohttp import web

KEY = "sk_test_1"
SECRET = "whsec_test_1"


@dataclass
class Gateway:
    """A double of a hosted checkout's interface: it keeps sessions and refunds, and repeats what a key asked before.

    ``lose`` lets that many answers get lost after the work is done; ``refuse`` answers everything with that status.
    """

    url: str = ""
    sessions: dict[str, dict] = field(default_factory=dict)
    refunds: dict[str, dict] = field(default_factory=dict)
    by_key: dict[str, dict] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    lose: int = 0
    refuse: int = 0
    refund_status: str = "succeeded"

    def pay(self, session):
        session |= {"status": "complete", "payment_status": "paid", "payment_intent": f"pi_{session['id']}"}

    @property
    def session(self):
        (only,) = self.sessions.values()
        return only

    async def answer(self, request):
        self.asked.append(f"{request.method} {request.path}")
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return web.json_response({"error": {"message": "Unknown key."}}, status=401)
        if self.refuse:
            return web.json_response({"error": {"message": "Not today."}}, status=self.refuse)
        status, made = self.work(request.method, request.path, dict(await request.post()), request.headers)
        if self.lose:
            self.lose -= 1
            request.transport.close()
        return web.json_response(made, status=status)

    def work(self, method, path, fields, headers):
        key = headers.get("Idempotency-Key")
        if key in self.by_key:
            return 200, self.by_key[key]
        match path.split("/")[2:]:
            case ["checkout", "sessions"]:
                made = self.open(fields)
                self.by_key[key] = self.sessions[made["id"]] = made
            case ["checkout", "sessions", session_id]:
                made = self.sessions[session_id]
            case ["checkout", "sessions", session_id, "expire"]:
                made = self.sessions[session_id]
                if made["status"] != "open":
                    return 400, {"error": {"message": "Only open sessions can expire."}}
                made["status"] = "expired"
            case ["refunds"]:
                made = {"id": f"re_{len(self.refunds) + 1}", "status": self.refund_status, **fields}
                self.by_key[key] = self.refunds[made["id"]] = made
            case ["refunds", refund_id]:
                made = self.refunds[refund_id]
        return 200, made

    def open(self, fields):
        session_id = f"cs_{len(self.sessions) + 1}"
        return {
            "id": session_id, "url": f"{self.url}/pay/{session_id}", "status": "open", "payment_status": "unpaid",
            "client_reference_id": fields["client_reference_id"], "payment_intent": None,
            "amount_total": int(fields["line_items[0][price_data][unit_amount]"]),
            "currency": fields["line_items[0][price_data][currency]"], "expires_at": int(fields["expires_at"]),
            "success_url": fields["success_url"],
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

    @contextmanager
    def in_a_thread(self):
        """Serve in a separate thread while the block runs."""
        loop, over, is_up = asyncio.new_event_loop(), asyncio.Event(), threading.Event()

        async def work():
            async with self.serving():
                is_up.set()
                await over.wait()

        thread = threading.Thread(target=loop.run_until_complete, args=(work(),), daemon=True)
        thread.start()
        is_up.wait()
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(over.set)
            thread.join()
            loop.close()
