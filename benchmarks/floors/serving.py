"""Serves a floor as Comanda is served: Hypercorn on uvloop, one worker, one process."""

import asyncio
import signal
import sys

import uvloop
from hypercorn.asyncio import serve
from hypercorn.config import Config
from quart import Quart


def run(app: Quart) -> None:
    """Serve on the loopback port that the first argument names, until SIGTERM."""
    uvloop.run(_run(app, int(sys.argv[1])))


async def _run(app: Quart, port: int) -> None:
    config = Config()
    config.bind = [f"127.0.0.1:{port}"]
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    await serve(app, config, shutdown_trigger=ended.wait)
