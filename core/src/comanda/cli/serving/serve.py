"""`comanda serve` and `comanda worker`: production."""

import asyncio
from functools import partial
from pathlib import Path

import click
import structlog

from comanda.basics.startup_errors import StartupError
from comanda.cli.options import data_option
from comanda.cli.serving.demo_installation import publish_address, warn_about_demo_logins
from comanda.cli.serving.setup import print_setup_link
from comanda.cli.session import exit_on_signals, installation
from comanda.operations.serving.engines import Engine, load_engine
from comanda.operations.serving.process import WebServer, bind_socket, run_worker
from comanda.operations.serving.supervisor import ProcessCounts, Supervisor
from comanda.platform.observability import PROCESS, configure_logging, log_uncaught
from comanda.platform.settings import Settings, read_settings
from comanda.platform.shared_metrics import share_metrics

log = structlog.get_logger(__name__)

# Web processes whose supervisor was killed close the port as soon as they notice, within milliseconds where the machine
# is not busy.
PORT_WAIT_SECONDS = 5.0
REDIS_CHECK_SECONDS = 2.0


@click.command()
@click.option("--host", help="Address to listen on.  [default: $COMANDA_HOST, else 127.0.0.1]")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on.  [default: $PORT, else 8000]")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="How many web processes.")
@click.option(
    "--background-workers",
    type=click.IntRange(0, 64),
    default=0,
    show_default=True,
    help="How many processes do the background work, instead of the web processes; they share memory with these.",
)
@click.option(
    "--engine",
    type=click.Choice([engine.value for engine in Engine]),
    default=Engine.UVICORN.value,
    show_default=True,
    help="The HTTP engine.",
)
@click.option("--no-worker", is_flag=True, help="Leave background work to `comanda worker`.")
@data_option
def serve(
    host: str | None,
    port: int | None,
    workers: int,
    background_workers: int,
    engine: str,
    no_worker: bool,
    data: Path | None,
) -> None:
    """Serve HTTP, and do the background work beside it unless --no-worker is given.

    Migrations run at start. SIGTERM finishes the requests in hand. Several processes need REDIS_URL.
    """
    settings = read_settings(Settings, host=host, port=port, data=data)
    _configure_logging(settings)
    counts = ProcessCounts(workers, background_workers, web_works=not no_worker and not background_workers)
    _check_processes(settings, counts, no_worker=no_worker)
    chosen = Engine(engine)
    # Before anything is opened: it may be missing.
    load_engine(chosen)
    if counts.total > 1 or no_worker:
        share_metrics(settings.data)
    wait = settings.startup_timeout_seconds
    with (
        exit_on_signals(),
        bind_socket(settings.host, settings.port, PORT_WAIT_SECONDS) as sock,
        installation(settings, wait_seconds=wait, may_create=True) as made,
    ):
        _configure_logging(settings)
        warn_about_demo_logins(made)
        print_setup_link(made)
        ready = partial(_announce_ready, made.settings, counts.web)
        with publish_address(made.settings):
            if counts.total > 1:
                Supervisor(made, sock, counts, chosen, ready=ready).run()
            else:
                WebServer(made, chosen, with_background=counts.web_works).run(sock, ready=ready)
    PROCESS.write("server_stopped", message="Comanda has stopped.")


@click.command()
@data_option
def worker(data: Path | None) -> None:
    """Do the background work alone: events, deliveries, schedules. Any number may run."""
    settings = read_settings(Settings, data=data)
    if settings.redis_url is None:
        raise StartupError(
            "A worker of its own needs REDIS_URL, by which web processes hand it tasks. "
            "Without Redis `comanda serve` does the background work itself."
        )
    _configure_logging(settings)
    _check_redis(settings.redis_url)
    share_metrics(settings.data)
    with exit_on_signals(), installation(settings, wait_seconds=settings.startup_timeout_seconds) as made:
        _configure_logging(settings)
        run_worker(made)


def _check_processes(settings: Settings, counts: ProcessCounts, *, no_worker: bool) -> None:
    """Refuse several processes without Redis: each would count rate limits and keep tasks for itself."""
    if no_worker and counts.workers:
        raise StartupError("--no-worker and --background-workers exclude each other. Leave one of them out.")
    if settings.redis_url is not None:
        _check_redis(settings.redis_url)
    elif counts.web > 1:
        raise StartupError(
            f"{counts.web} web processes need REDIS_URL, because each would keep rate limits and tasks in its own "
            "memory. Set REDIS_URL, or serve with --workers 1."
        )
    elif no_worker or counts.workers:
        option, process = ("--no-worker", "a `comanda worker`") if no_worker else ("--background-workers", "a worker")
        raise StartupError(
            f"{option} needs REDIS_URL, by which {process} gets its tasks. Set REDIS_URL, or leave it out."
        )


def _check_redis(url: str) -> None:
    """Log that Redis is away, which hinders no start. Raises redis's own error where it refuses our password."""
    # Imported only where Redis is set: the driver takes 6 MiB of memory.
    from redis import asyncio as redis
    from redis.exceptions import AuthenticationError, RedisError

    async def ping() -> None:
        async with redis.from_url(
            url, socket_connect_timeout=REDIS_CHECK_SECONDS, socket_timeout=REDIS_CHECK_SECONDS
        ) as client:
            await client.ping()

    try:
        asyncio.run(ping())
    except AuthenticationError:
        raise
    except (RedisError, OSError) as error:
        log.warning("redis_unavailable", error=str(error), meanwhile="Each process counts rate limits for itself.")


def _configure_logging(settings: Settings) -> None:
    configure_logging(settings.log_level, settings.log_format)
    log_uncaught()


def _announce_ready(settings: Settings, workers: int) -> None:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    url, count = f"http://{host}:{settings.port}", f"{workers} process{'es' if workers > 1 else ''}"
    PROCESS.write("server_ready", message=f"Comanda is ready on {url} ({count}).", url=url, processes=workers)
