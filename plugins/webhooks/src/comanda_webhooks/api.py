"""Endpoints of other plugins: signed deliveries of an owner's events to receivers that the owner did not register.

They are sent, retried and signed like the owner's own, are not counted among these, and are not shown to the owner. A
plugin names its endpoint of an owner by a reference of its own, such as the id of an installation.
"""

from comanda_webhooks.records import NewPluginEndpoint, PluginEvent
from comanda_webhooks.services.event_labels import describe_event
from comanda_webhooks.services.plugin_endpoints import (
    check_events,
    check_url,
    create_plugin_endpoint,
    delete_plugin_endpoint,
    send_plugin_event,
    update_plugin_endpoint,
)
from comanda_webhooks.services.signatures import generate_secret
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
