"""An ASGI application that answers before reading, reads late, streams for ever or never answers."""

import asyncio


class Application:
    """Answers /refused without reading, /echo with the body, /stream for ever; records its requests."""

    def __init__(self):
        self.asked = []
        self.ended = []

    async def __call__(self, scope, receive, send):
        self.asked.append(scope["path"])
        await getattr(self, scope["path"].strip("/"))(receive, send)
        self.ended.append(scope["path"])

    async def refused(self, receive, send):
        await answer(send, 401, b"refused")

    async def late(self, receive, send):
        await asyncio.sleep(0.2)
        await answer(send, 401, b"refused")

    async def echo(self, receive, send):
        body = b""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message["body"]
            if not message["more_body"]:
                break
        await answer(send, 200, body)

    async def large(self, receive, send):
        await answer(send, 200, bytes(20_000_000))

    async def stream(self, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
        gone = asyncio.ensure_future(receive())
        while not gone.done():
            await send({"type": "http.response.body", "body": bytes(10_000), "more_body": True})
            await asyncio.sleep(0)

    async def endless(self, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
        await send({"type": "http.response.body", "body": b"first", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass

    async def waiting(self, receive, send):
        """Answer with a head alone until the client leaves."""
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
        while (await receive())["type"] != "http.disconnect":
            pass

    async def stubborn(self, receive, send):
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.ended.append("cancelled")
                raise


async def answer(send, status, body):
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
