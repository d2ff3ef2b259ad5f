"""The local webhook receiver of ``comanda listen``."""

import asyncio
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime

import aiohttp
import click
import orjson
from aiohttp import web
from aiohttp.typedefs import Handler
from rich.console import Console
from rich.json import JSON
from rich.text import Text
from standardwebhooks import Webhook, WebhookVerificationError

ENDPOINTS_PATH = "/api/v1/webhook-endpoints"
REGISTRATION_TIMEOUT = aiohttp.ClientTimeout(total=15)


@dataclass(frozen=True, slots=True)
class ListenerRegistration:
    """An endpoint to register. ``url`` is the base URL of a running Comanda."""

    url: str
    token: str
    events: Sequence[str]


class WebhookListener:
    """Verifies and prints deliveries. Without a ``secret`` nothing is verified."""

    def __init__(self, console: Console, secret: str | None = None) -> None:
        self._console = console
        self._webhook = Webhook(secret) if secret else None

    def set_secret(self, secret: str) -> None:
        """Verify deliveries with this secret from now on."""
        self._webhook = Webhook(secret)

    async def receive(self, request: web.Request) -> web.Response:
        """Return 204 for a delivery with a valid signature, 400 otherwise."""
        body = await request.read()
        problem = self._verify(body, request.headers)
        self._print(request.headers, body, problem)
        return web.json_response({"message": problem}, status=400) if problem else web.Response(status=204)

    def _verify(self, body: bytes, headers: Mapping[str, str]) -> str | None:
        if self._webhook is None:
            return None
        try:
            # The library expects header names in lower case.
            self._webhook.verify(body, {name.lower(): value for name, value in headers.items()})
        except WebhookVerificationError as error:
            return str(error)
        return None

    def _print(self, headers: Mapping[str, str], body: bytes, problem: str | None) -> None:
        if problem:
            verdict = Text(f"refused: {problem}", "bold red")
        else:
            verdict = Text("verified", "green") if self._webhook else Text("not verified, no secret given", "yellow")
        moment = datetime.now(UTC).astimezone().strftime("%H:%M:%S")
        event = headers.get("X-Webhook-Event", "no event name")
        message_id = headers.get("webhook-id", "no webhook-id")
        self._console.print(Text.assemble((moment, "dim"), "  ", (event, "bold"), "  ", message_id, "  ", verdict))
        try:
            self._console.print(JSON.from_data(orjson.loads(body)))
        except orjson.JSONDecodeError:
            self._console.print(Text(body.decode("utf-8", "replace")))


async def run_listener(port: int, secret: str | None, registration: ListenerRegistration | None) -> None:
    """Listen until interrupted, registered as an endpoint if requested. Raises ``ClickException`` on failure."""
    console = Console()
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):  # Windows has no signal handlers; Ctrl-C ends the loop there
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stopped.set)
    try:
        listener = WebhookListener(console, secret)
    except (ValueError, RuntimeError) as error:
        raise click.ClickException(f"This is not a signing secret of Comanda: {error}") from error
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(serve(listener.receive, port))
        console.print(Text.assemble("Listening at ", (address, "bold"), ". Press Ctrl-C to stop."))
        if registration is not None:
            endpoint_id, given = await stack.enter_async_context(register_endpoint(registration, address))
            listener.set_secret(given)
            console.print(f"Registered as endpoint {endpoint_id} for {', '.join(registration.events)}.")
        await stopped.wait()


@asynccontextmanager
async def serve(receive: Handler, port: int) -> AsyncIterator[str]:
    """Yield the address of a server on loopback that runs for the duration of the block."""
    app = web.Application()
    app.router.add_post("/{path:.*}", receive)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", port)
        try:
            await site.start()
        except OSError as error:
            raise click.ClickException(f"Cannot listen on port {port}: {error.strerror}.") from error
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def register_endpoint(registration: ListenerRegistration, address: str) -> AsyncIterator[tuple[int, str]]:
    """Yield the id and secret of an endpoint that exists for the duration of the block. Raises ``ClickException``."""
    headers = {"Authorization": f"Bearer {registration.token}"}
    async with aiohttp.ClientSession(registration.url, headers=headers, timeout=REGISTRATION_TIMEOUT) as session:
        try:
            async with session.post(
                ENDPOINTS_PATH, json={"url": address, "events": list(registration.events)}
            ) as response:
                answer = orjson.loads(await response.read())
        except (aiohttp.ClientError, TimeoutError, orjson.JSONDecodeError) as error:
            raise click.ClickException(f"Comanda does not respond at {registration.url}.") from error
        if response.status != 201:
            faults = " ".join(text for texts in answer.get("errors", {}).values() for text in texts)
            raise click.ClickException(f"Registration failed: {faults or answer.get('message', response.status)}")
        try:
            yield answer["id"], answer["secret"]
        finally:
            with suppress(aiohttp.ClientError, TimeoutError):
                await session.delete(f"{ENDPOINTS_PATH}/{answer['id']}")
