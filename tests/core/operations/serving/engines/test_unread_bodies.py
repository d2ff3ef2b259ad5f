"""Bodies that the application does not read, as messages."""

import asyncio

import pytest
from comanda.operations.serving.engines import unread_bodies
from refusing_application import Application


async def respond(messages, headers, max_bytes):
    """Refuse a request whose body arrives in messages; return the response's headers and how many were left."""
    left, sent = list(messages), []

    async def receive():
        if not left:
            await asyncio.Event().wait()
        return left.pop(0)

    async def send(message):
        sent.append(message)

    app = unread_bodies.discard_unread_bodies(Application(), max_bytes)
    await app({"type": "http", "path": "/refused", "headers": headers}, receive, send)
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    return dict(sent[0]["headers"]), len(left)


def part(size, *, more=True):
    return {"type": "http.request", "body": bytes(size), "more_body": more}


LENGTH = [(b"content-length", b"300")]
CHUNKED = [(b"transfer-encoding", b"chunked")]


@pytest.mark.parametrize(
    ("messages", "headers", "max_bytes", "closes", "left"),
    [
        ([part(100), part(200, more=False)], LENGTH, 300, False, 0),
        ([part(100), part(200, more=False)], LENGTH, 299, True, 2),
        ([part(100), part(200), part(200), part(0, more=False)], CHUNKED, 299, True, 2),
        ([part(100)], LENGTH, 300, True, 0),
        ([part(300, more=False)], [*LENGTH, (b"expect", b"100-continue")], 300, True, 1),
        ([part(0, more=False)], [(b"content-length", b"0")], 300, False, 1),
        ([{"type": "http.disconnect"}], LENGTH, 300, False, 0),
    ],
)
async def test_small_body_is_discarded_and_other_closes(monkeypatch, messages, headers, max_bytes, closes, left):
    monkeypatch.setattr(unread_bodies, "DISCARD_SECONDS", 0.05)

    answered, unread = await respond(messages, headers, max_bytes)

    assert answered.get(b"connection") == (b"close" if closes else None)
    assert unread == left
