"""The local receiver: takes webhook deliveries on the loopback, verifies each signature and notes when it came.

Asked with ``{do: "expect", secret, count}`` it forgets what came before; ``{do: "wait", seconds}`` waits for that many
distinct messages; ``{do: "receipts"}`` lists the order and the moment of each.
"""

import asyncio
import time
from contextlib import suppress
from typing import Any, cast

from standardwebhooks import Webhook, WebhookVerificationError

from benchmarks import lines

ACCEPTED = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"
REFUSED = b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n"


class Inbox:
    """What has come in since the last ``expect``."""

    def __init__(self) -> None:
        self.expect(Webhook(b"nobody"), 0)

    def expect(self, webhook: Webhook, number: int) -> None:
        """Begin anew."""
        self.webhook = webhook
        self.number = number
        self.receipts: dict[str, tuple[int, float]] = {}
        self.repeated = self.refused = 0
        self.last_at = 0.0
        self.complete = asyncio.Event()

    def take(self, headers: dict[str, str], body: bytes) -> bytes:
        """Verify one delivery and return the answer to it."""
        try:
            message = self.webhook.verify(body, headers)
        except WebhookVerificationError:
            self.refused += 1
            return REFUSED
        self.last_at = time.monotonic()
        message_id = headers["webhook-id"]
        if message_id in self.receipts:
            self.repeated += 1
        else:
            self.receipts[message_id] = (message["data"]["order_id"], self.last_at)
            if len(self.receipts) == self.number:
                self.complete.set()
        return ACCEPTED


class Connection(asyncio.Protocol):
    """Reads requests with a body of known length, one after another."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to answer."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is one by shape only

    def data_received(self, data: bytes) -> None:
        """Answer every request that is whole."""
        self._received += data
        while (head_end := self._received.find(b"\r\n\r\n")) >= 0:
            pairs = (line.split(": ", 1) for line in self._received[:head_end].decode("latin-1").split("\r\n")[1:])
            headers = {name.lower(): value for name, value in pairs}
            body_end = head_end + 4 + int(headers.get("content-length", "0"))
            if len(self._received) < body_end:
                return
            body = self._received[head_end + 4 : body_end]
            self._received = self._received[body_end:]
            self._transport.write(self._inbox.take(headers, body))


inbox = Inbox()


async def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Answer the bench."""
    if question["do"] == "listen":
        server = await asyncio.get_running_loop().create_server(lambda: Connection(inbox), "127.0.0.1", 0)
        return {"port": server.sockets[0].getsockname()[1]}
    if question["do"] == "expect":
        inbox.expect(Webhook(question["secret"]), question["count"])
        return {}
    if question["do"] == "wait":
        with suppress(TimeoutError):
            await asyncio.wait_for(inbox.complete.wait(), question["seconds"])
        return {
            "received": len(inbox.receipts),
            "refused": inbox.refused,
            "repeated": inbox.repeated,
            "last_at": inbox.last_at,
        }
    return {"receipts": list(inbox.receipts.values())}


if __name__ == "__main__":
    lines.answer(answer)
