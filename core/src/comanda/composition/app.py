"""Builds the application from settings and plugins, and runs its life cycle."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from importlib import import_module
from typing import Any, cast

import structlog
from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable
from quart import Quart
from quart.asgi import ASGIHTTPConnection

from comanda.accounts import callers
from comanda.basics.lazy_imports import LazyModule
from comanda.composition.bootstrap import advice_on_refusal, start_runtime
from comanda.composition.sessions import create_worker, get_connector, open_database_of, open_runtime
from comanda.contracts.registry import Registry
from comanda.contracts.tracing import SpanKind
from comanda.platform import tracing
from comanda.platform.db.connections.pool import begin_work
from comanda.platform.http import cors
from comanda.platform.http.access import Access
from comanda.platform.http.admission import Admission, create_shutdown_error, send_refusal
from comanda.platform.http.gateway import BodyReader, Gateway
from comanda.platform.http.host_header import ABSOLUTE_TARGETS, is_host_valid, normalize_target, send_invalid_host
from comanda.platform.http.internal_api import InternalApi
from comanda.platform.http.overload import URGENT_PATHS, LoadShedder
from comanda.platform.http.rate_limits import RateLimiter
from comanda.platform.http.store_hosts import StoreHostRouter
from comanda.platform.runtime import Runtime
from comanda.platform.settings import Settings
from comanda.platform.tasks import notifier
from comanda.web.application import PageApplication
from comanda.web.page_requests import PageRequest
from comanda.web.pages import mount_pages
from comanda.web.static_files.static_answers import StaticAnswers

__all__ = ["create_app", "create_worker", "open_runtime", "start_runtime"]

log = structlog.get_logger(__name__)


def create_app(
    made: Runtime,
    *,
    with_background: bool = True,
    before_serving: Callable[[], None] = lambda: None,
    after_loading: Callable[[], None] = lambda: None,
    shedder: LoadShedder | None = None,
) -> Quart:
    """Create the ASGI application: declared routes on the fast lane, pages through Quart.

    ``before_serving`` is called last of all that happens before requests; when it raises, the application closes again.
    ``after_loading`` is called once all libraries are imported, some of them while the first requests are answered.
    ``shedder`` decides which requests are begun; by default those that can be served in time.
    """
    settings = made.settings
    app = PageApplication(settings.request_timeout_seconds)
    app.request_class = PageRequest
    app.config["MAX_CONTENT_LENGTH"] = settings.body_limit_bytes
    app.config["BODY_TIMEOUT"] = settings.body_timeout_seconds
    # Browsers ask each time whether a page's files are still the same, so that an upgrade is seen at once.
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0
    limiter = RateLimiter(settings.redis_url)
    access = Access(
        made.registry.caller_kinds,
        callers.find_caller,
        limiter,
        requests_per_minute=settings.requests_per_minute,
        trusted_proxies=settings.trusted_proxies,
    )
    gateway = Gateway(
        made.registry,
        access,
        cors.Policy(frozenset(settings.cors_origins), _token_headers(made.registry)),
        BodyReader(settings.body_limit_bytes, settings.body_timeout_seconds),
        settings.request_timeout_seconds,
    )
    app.internal_api = InternalApi(made.registry, access, settings.request_timeout_seconds)
    admission = Admission()
    with advice_on_refusal(settings):
        static_answers = mount_pages(app, made.registry, is_development=settings.development)
    app.asgi_http_class = _connection_class(
        gateway, admission, shedder or LoadShedder(), static_answers, StoreHostRouter(made.registry, settings.site_url)
    )

    @app.while_serving
    async def life() -> AsyncGenerator[None, None]:
        async with open_database_of(made) if with_background else open_runtime(made, with_background=False):
            if not made.registry.verticals:
                log.warning("no_vertical_installed", hint="Install one, such as comanda-restaurant, to create stores.")
            before_serving()
            rest = [
                asyncio.create_task(_start_rest(made, after_loading, with_background=with_background)),
                asyncio.create_task(_listen_for_changes(settings)),
            ]
            try:
                yield
            finally:
                await admission.close()
                await limiter.close()
                for task in rest:
                    task.cancel()
                await asyncio.gather(*rest, return_exceptions=True)

    return app


async def _listen_for_changes(settings: Settings) -> None:
    """Wake the live pages of this process when any process announces a change, until cancelled."""
    if settings.session_url is not None:
        await notifier.Listener(get_connector(settings.session_url), notifier.CHANGES_CHANNEL).run()


async def _start_rest(made: Runtime, after_loading: Callable[[], None], *, with_background: bool) -> None:
    """Import what the first requests do without, then do background work, if asked, until cancelled."""
    await asyncio.to_thread(LazyModule.preload)
    if not with_background:
        after_loading()
        return
    worker = await asyncio.to_thread(import_module, "comanda.platform.tasks.worker")
    after_loading()

    async def work() -> None:
        async with create_worker(made).running():
            await asyncio.Event().wait()

    await worker.run_again_after_failures("worker", work)


def _connection_class(
    gateway: Gateway,
    admission: Admission,
    shedder: LoadShedder,
    static_answers: StaticAnswers,
    store_hosts: StoreHostRouter,
) -> type[ASGIHTTPConnection]:
    class Connection(ASGIHTTPConnection):
        async def __call__(self, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
            if admission.is_closed:
                await send_refusal(send, create_shutdown_error(), closes=True)
                return
            if self.scope["path"].startswith(ABSOLUTE_TARGETS):
                normalize_target(cast("dict[str, Any]", self.scope))
            if await store_hosts.answer(self.scope, send):
                return
            path = self.scope["path"]
            if is_host_valid(self.scope["headers"]) and await static_answers.send(self.scope, send):
                return
            # Answered without the database. A browser whose preflight fails shows its page a network error.
            is_preflight = self.scope["method"] == "OPTIONS"
            if not is_preflight and (refusal := shedder.find_refusal(path)):
                await send_refusal(send, refusal)
                return
            begin_work(is_urgent=path in URGENT_PATHS)
            with admission.request(), tracing.span(self.scope["method"], SpanKind.REQUEST, self.scope["headers"]):
                await self._answer(receive, send)

        async def _answer(self, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
            if await gateway(self.scope, receive, send):
                return
            if is_host_valid(self.scope["headers"]):
                await super().__call__(receive, static_answers.keep(self.scope, send))
            else:
                await send_invalid_host(send)

    return Connection


def _token_headers(registry: Registry) -> frozenset[str]:
    return frozenset(kind.header for kind in registry.caller_kinds.values())
