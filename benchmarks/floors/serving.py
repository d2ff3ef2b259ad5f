"""Serves a floor as Comanda is served: Hypercorn on uvloop, one or several processes on one socket."""

import asyncio
import os
import signal
import socket
import sys

import uvloop
from hypercorn.asyncio import serve
from hypercorn.config import Config
from quart import Quart

BACKLOG = 1024


def run(app: Quart) -> None:
    """Serve on the loopback port that the first argument names, in ``WEB_PROCESSES`` processes, until SIGTERM."""
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=BACKLOG)
    children: list[int] = []
    for _ in range(int(os.environ.get("WEB_PROCESSES", "1")) - 1):
        child = os.fork()
        if child == 0:
            children.clear()
            break
        children.append(child)
    try:
        uvloop.run(_run(app, listener))
    finally:
        for child in children:
            os.kill(child, signal.SIGTERM)
            os.waitpid(child, 0)


async def _run(app: Quart, listener: socket.socket) -> None:
    config = Config()
    config.bind = [f"fd://{listener.fileno()}"]
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    await serve(app, config, shutdown_trigger=ended.wait)
