"""A child process that is asked in lines of JSON on its standard input and answers in lines of JSON."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvloop

Handler = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


def answer(handler: Handler) -> None:
    """Answer every line on standard input until it closes: a child never outlives its parent."""
    uvloop.run(_answer(handler))


async def _answer(handler: Handler) -> None:
    reader = asyncio.StreamReader(limit=2**26)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        print(json.dumps(await handler(json.loads(line))), flush=True)
