"""Messages of MCP clients, and errors in their answers."""

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
GREET = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "whisper"}}


async def get_error(response):
    return (await response.get_json())["error"]


async def read_error(response):
    """Return the status, the code of the error and the id of an answer."""
    reply = await response.get_json()
    assert reply["jsonrpc"] == "2.0"
    return response.status_code, reply["error"]["code"], reply["id"]
