"""The queue between connection and application."""

from raw_requests import request_head, send_request


async def test_a_body_larger_than_the_queue_reaches_the_application_whole(serving, application):
    body = bytes(range(256)) * 8000
    async with serving(application) as server:
        client = await server.connect()

        assert await send_request(client, request_head("/echo", Content_Length=len(body)) + body) == (200, body)
        client.close()
