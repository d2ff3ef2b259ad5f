"""Endpoints of other plugins: signed deliveries of an owner's events to receivers that the owner did not register.

They are sent, retried and signed like the owner's own, are not counted among these, and are not shown to the owner. A
plugin names its endpoint of an owner by a reference of its own, such as the id of an installation.
"""

from collections.abc import Sequence

from comanda_webhooks.records.plugin_endpoints import NewPluginEndpoint, PluginEvent
from comanda_webhooks.services import plugin_endpoints, signatures
from comanda_webhooks.services.event_labels import describe_event
from comanda_webhooks.services.signing_secrets import OldSecret

__all__ = [
    "NewPluginEndpoint",
    "OldSecret",
    "PluginEvent",
    "check_events",
    "check_url",
    "create_plugin_endpoint",
    "delete_plugin_endpoint",
    "describe_event",
    "generate_secret",
    "send_plugin_event",
    "update_plugin_endpoint",
]


def generate_secret() -> str:
    """Return a new signing secret: ``whsec_`` and the base64 of 32 random bytes."""
    return signatures.generate_secret()


async def check_url(url: str) -> str:
    """Return a receiver's normalized URL. Raises ``ValidationFailed`` on ``url`` for one that is not public HTTPS."""
    return await plugin_endpoints.check_url(url)


def check_events(patterns: Sequence[str]) -> list[str]:
    """Return event names and patterns without repeats. Raises ``ValidationFailed`` on ``events`` for unknown ones."""
    return plugin_endpoints.check_events(patterns)


async def create_plugin_endpoint(owner_id: int, new: NewPluginEndpoint) -> None:
    """Create an endpoint for an owner's events, in the open transaction; one that exists stays as it is."""
    await plugin_endpoints.create_endpoint(owner_id, new)


async def update_plugin_endpoint(owner_id: int, changed: NewPluginEndpoint) -> None:
    """Replace the URL, events, scopes and secrets of an endpoint, and resume it if it was disabled.

    Raises ``NotFound``.
    """
    await plugin_endpoints.update_endpoint(owner_id, changed)


async def send_plugin_event(owner_id: int, plugin: str, reference: int, event: PluginEvent) -> None:
    """Queue an event for one endpoint alone, once by its name, whatever the endpoint subscribes to.

    After one that ``is_last`` the endpoint receives no other events, and what still waits for it is not sent.
    Raises ``NotFound``.
    """
    await plugin_endpoints.send_event(owner_id, plugin, reference, event)


async def delete_plugin_endpoint(owner_id: int, plugin: str, reference: int) -> None:
    """Delete an endpoint with its secrets. Nothing more is sent to it."""
    await plugin_endpoints.delete_endpoint(owner_id, plugin, reference)
