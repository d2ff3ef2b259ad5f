"""Floor of webhook delivery: a bare aiohttp loop that posts signed bodies, with no database and no second try."""

import asyncio
import json
import secrets
import time
from datetime import UTC, datetime
from typing import Any

import aiohttp
from standardwebhooks import Webhook

from benchmarks import lines


async def run(question: dict[str, Any]) -> dict[str, Any]:
    """Post ``count`` messages to ``url``, ``in_flight`` at a time; tell when the first one began."""
    webhook = Webhook(question["secret"])
    numbers = iter(range(question["count"]))
    began_at = time.monotonic()
    connector = aiohttp.TCPConnector(limit=question["in_flight"])
    async with aiohttp.ClientSession(connector=connector) as session:
        posters = [_post(session, question["url"], webhook, numbers) for _ in range(question["in_flight"])]
        await asyncio.gather(*posters)
    return {"began_at": began_at}


async def _post(session: aiohttp.ClientSession, url: str, webhook: Webhook, numbers: Any) -> None:
    for number in numbers:
        moment = datetime.now(UTC)
        message_id = "msg_" + secrets.token_hex(16)
        data = {"order_id": number, "restaurant_id": 1, "number": 1, "type": "takeaway", "source": "api",
                "status": "new", "total": "23.50", "currency": "EUR", "created_at": moment.isoformat()}  # fmt: skip
        body = json.dumps(
            {"id": message_id, "event": "order.created", "created_at": moment.isoformat(), "data": data},
            separators=(",", ":"),
        )
        headers = {
            "content-type": "application/json",
            "webhook-id": message_id,
            "webhook-timestamp": str(int(moment.timestamp())),
            "webhook-signature": webhook.sign(message_id, moment, body),
        }
        async with session.post(url, data=body.encode(), headers=headers) as response:
            await response.read()


if __name__ == "__main__":
    lines.answer(run)
