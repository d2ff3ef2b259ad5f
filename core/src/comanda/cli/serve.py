"""`comanda serve` and `comanda worker`: production."""

import asyncio
from pathlib import Path

import click
from redis import asyncio as redis

from comanda.cli.options import data_option
from comanda.cli.session import ends_on_sigterm, installation
from comanda.cli.showcase import address_known, warn_of_people
from comanda.observability import configure_logging
from comanda.serving.engines import Engine, run_engine
from comanda.serving.process import listen, run_server, run_worker
from comanda.serving.supervisor import Supervisor
from comanda.settings import Settings, read
from comanda.startup import StartupError


@click.command()
@click.option("--host", help="Address to listen on.  [default: $COMANDA_HOST, else 127.0.0.1]")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on.  [default: $PORT, else 8000]")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="How many web processes.")
@click.option(
    "--server",
    type=click.Choice([engine.value for engine in Engine]),
    default=Engine.HYPERCORN.value,
    show_default=True,
    help="The ASGI server; those other than hypercorn are extras of comanda-core.",
)
@click.option("--no-worker", is_flag=True, help="Leave background work to `comanda worker`.")
@data_option
def serve(host: str | None, port: int | None, workers: int, server: str, no_worker: bool, data: Path | None) -> None:
    """Serve HTTP, and do the background work beside it unless --no-worker is given.

    Migrations run at start. SIGTERM finishes the requests in hand. Several processes need REDIS_URL.
    """
    settings = read(Settings, host=host, port=port, data=data)
    _check_processes(settings, workers, no_worker=no_worker)
    engine = Engine(server)
    with ends_on_sigterm(), listen(settings.host, settings.port) as sock, installation(settings) as made:
        configure_logging(settings.log_level, settings.log_format)
        warn_of_people(made)
        with address_known(made.settings):
            if engine is not Engine.HYPERCORN:
                sock.close()
                run_engine(engine, made.settings, workers, with_background=not no_worker)
            elif workers > 1:
                Supervisor(made.settings, sock, workers, with_background=not no_worker).run()
            else:
                run_server(made, sock, with_background=not no_worker, ready=lambda: _tell(made.settings, workers))


@click.command()
@data_option
def worker(data: Path | None) -> None:
    """Do the background work alone: events, deliveries, schedules. Any number may run."""
    settings = read(Settings, data=data)
    if settings.redis_url is None:
        raise StartupError(
            "A worker of its own needs REDIS_URL, by which web processes hand it tasks. "
            "Without Redis `comanda serve` does the background work itself."
        )
    _check_redis(settings.redis_url)
    with ends_on_sigterm(), installation(settings) as made:
        configure_logging(settings.log_level, settings.log_format)
        run_worker(made)


def _check_processes(settings: Settings, workers: int, *, no_worker: bool) -> None:
    """Refuse several processes without Redis: each would count rate limits and keep tasks for itself."""
    if settings.redis_url is not None:
        _check_redis(settings.redis_url)
    elif workers > 1:
        raise StartupError(
            f"{workers} web processes need REDIS_URL, because each would keep rate limits and tasks in its own memory. "
            "Set REDIS_URL, or serve with --workers 1."
        )
    elif no_worker:
        raise StartupError(
            "--no-worker needs REDIS_URL, by which a `comanda worker` gets its tasks. Set REDIS_URL, or leave it out."
        )


def _check_redis(url: str) -> None:
    """Raise redis's own error when it does not answer, before anything is started."""

    async def ping() -> None:
        async with redis.from_url(url, socket_connect_timeout=5) as client:
            await client.ping()

    asyncio.run(ping())


def _tell(settings: Settings, workers: int) -> None:
    click.echo(f"Comanda serves on http://{settings.host}:{settings.port} ({workers} process).", err=True)
