"""Push messages to browsers."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, PluginSettings, Routes, Section, Transport

from comanda_web_push.routes.order_devices import routes as order_device_routes
from comanda_web_push.sections import SECTIONS
from comanda_web_push.services import push_service
from comanda_web_push.settings import WebPushSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    return WebPushSettings


@hookimpl
def register_transports() -> Sequence[Transport]:
    return [Transport("web_push", "push", push_service.send, priority=50, accepts=push_service.accepts)]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [order_device_routes]


@hookimpl
def register_sections() -> Sequence[Section]:
    return SECTIONS


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Push messages to browsers: how a page subscribes, what its worker receives, settings."
    return [Chapter("web-push", "Web push", summary, "comanda_web_push", "docs/web_push.md")]
