"""The contract: every way into Comanda, on one page.

A plugin is a module named by an entry point in the group ``comanda.plugins``. It implements any of these hooks with
``from comanda import hookimpl``. Hooks run once at startup, return frozen declarations and change nothing themselves;
the objects they return do the work, ``async`` where they need it. Two declarations with one name, or one that refers to
something nobody declares, stop the startup with a line that names the plugins.
"""

from collections.abc import Sequence

import click
import pluggy

from comanda.contracts.callers import CallerKind
from comanda.contracts.cash_on_delivery import CashOnDelivery
from comanda.contracts.demo import DemoData
from comanda.contracts.documentation import Chapter
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.events import Event, EventHandler
from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.mcp import McpServer, Tool
from comanda.contracts.messaging import MessageTemplate, Transport
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.order_participants import OrderParticipant
from comanda.contracts.pages import Pages
from comanda.contracts.payments import PaymentBook, PaymentMethod
from comanda.contracts.references import Reference
from comanda.contracts.routes import Routes
from comanda.contracts.sections import Section
from comanda.contracts.settings import PluginSettings
from comanda.contracts.tasks import QueueWorker, Task
from comanda.contracts.verticals import ItemCapability, Vertical

hookspec = pluggy.HookspecMarker("comanda")


@hookspec
def register_models() -> Sequence[ModelSet] | None:
    """Bring tables, and the history that makes them.

    When: at startup and in ``comanda migrate``, before the database is opened.
    Return: one model set, its ``app`` being the plugin's name and the prefix of its tables.
    Conflict: two sets of one ``app``, or two models of one table, stop the startup with ``DuplicateRegistration``.
    Not for: relations into another app's models; hold a plain id and write the foreign key in the migration.
    Example: ``plugins/webhooks``.
    """


@hookspec
def register_routes() -> Sequence[Routes] | None:
    """Answer HTTP requests, on the REST API or beside it.

    When: once at startup, after settings are read.
    Return: groups of routes; each route states who may call it, the scope it needs, its tag and its schemas. The
        router, the OpenAPI description, the discovery index and the test of tenant isolation all read these.
    Conflict: two routes of one method and path stop the startup with ``DuplicateRegistration``.
    Not for: pages that a person opens.
    Example: ``plugins/webhooks``.
    """


@hookspec
def register_caller_kinds() -> Sequence[CallerKind] | None:
    """Introduce a kind of access token: who holds it, how it looks, where it travels, how long it lives.

    When: once at startup, before routes are checked.
    Return: the kinds; their tokens are stored, looked up and revoked by core.
    Conflict: two kinds with one ``code`` or one ``prefix`` stop the startup with ``DuplicateRegistration``.
    Not for: what a caller may do; routes state the scope, tokens carry them.
    Example: core's own kind ``owner``, in ``core_plugin.py``.
    """


@hookspec
def register_verticals() -> Sequence[Vertical] | None:
    """Offer store types, such as ``restaurant`` or ``pharmacy``.

    When: once at startup.
    Return: the verticals, each with the capabilities and the fulfillment modes of its stores.
    Conflict: two verticals with one ``store_type`` stop the startup with ``DuplicateRegistration``; a capability or
        mode that nobody declares stops it with ``UnknownReference``.
    Not for: a feature that stores of several types share; that is a plugin with a capability.
    Example: ``verticals/restaurant``.
    """


@hookspec
def register_item_capabilities() -> Sequence[ItemCapability] | None:
    """Give the items of stores with a capability more fields, such as ``is_vegan`` and ``calories`` for ``dietary``.

    When: once at startup, before verticals are checked.
    Return: capabilities, each with a pydantic model of its fields; core validates, stores and returns them.
    Conflict: two with one ``code``, or one field name in two of them, stop the startup with ``DuplicateRegistration``.
    Not for: data that outgrows a few fields of one item; keep that in tables of your own.
    Example: ``verticals/restaurant``.
    """


@hookspec
def register_fulfillment_modes() -> Sequence[FulfillmentMode] | None:
    """Offer ways for an order to reach its customer, such as delivery, takeaway or on-table.

    When: once at startup, before verticals are checked.
    Return: the modes this plugin adds. Call order carries no meaning.
    Conflict: two modes with one ``code`` stop the startup with ``DuplicateRegistration``.
    Not for: deciding what one store allows; its vertical lists that.
    Example: ``verticals/restaurant``.
    """


@hookspec
def register_order_participants() -> Sequence[OrderParticipant] | None:
    """Take part in orders: check them, set something aside for them, write rows beside them.

    When: once at startup; the steps run within each order that a participant names by mode and by capability.
    Return: participants, each with the steps it needs and a ``priority`` where their order matters.
    Conflict: two with one ``name``, or a field of the order's body that core or another participant of the same orders
        has, stop the startup with ``DuplicateRegistration``; a mode that nobody declares, with ``UnknownReference``.
    Not for: what may happen after the order was taken; handle ``OrderCreated``.
    Example: ``plugins/collection``.
    """


@hookspec
def register_sections() -> Sequence[Section] | None:
    """Add keys to the record of an order, of a line, or of what the public sees of an order.

    When: once at startup; a section is loaded whenever a whole order or its public record is read.
    Return: sections, each with the model of its keys.
    Conflict: two sections with one ``name``, or one key of one record in two of them or in core's own, stop the startup
        with ``DuplicateRegistration``; a key without a default, with ``InvalidDeclaration``.
    Not for: what is known when the order is placed; a mode or a participant keeps that with the order.
    Example: ``plugins/drivers``.
    """


@hookspec
def register_events() -> Sequence[type[Event]] | None:
    """Announce event types, so that handlers and webhook endpoints can ask for them.

    When: once at startup.
    Return: event classes, each with its name, the scope that may read it and a sample.
    Conflict: two events with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: messages inside one plugin; call your own service.
    Example: ``core_plugin.py``.
    """


@hookspec
def register_event_handlers() -> Sequence[EventHandler] | None:
    """Act after something happened, at least once for every event and outside the transaction that caused it.

    When: once at startup; the handlers run wherever the dispatcher runs.
    Return: handlers, each with a name that stays the same over the years and the events it wants.
    Conflict: two handlers with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: what must happen in the same transaction as the cause.
    Example: ``plugins/webhooks``.
    """


@hookspec
def register_tasks() -> Sequence[Task | QueueWorker] | None:
    """Run work in the background: ``Task`` by name or on a schedule, ``QueueWorker`` wherever rows wait in a table.

    When: once at startup; the work runs in every worker.
    Return: tasks and drains. A task may be lost with the process and runs again at its next time; a drain's rows
        cannot.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: reacting to an event; that is a handler.
    Example: ``plugins/webhooks``.
    """


@hookspec
def register_transports() -> Sequence[Transport] | None:
    """Carry messages by SMS, e-mail or push to the people that they are for.

    When: once at startup; a transport is asked whether it is ready, and given messages, wherever these are sent.
    Return: transports, each for one channel, with a ``priority`` where a channel has several.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: writing messages; call ``send`` in the ``api`` of the plugin notifications, which keeps and repeats them.
    Example: ``plugins/notifications``.
    """


@hookspec
def register_message_templates() -> Sequence[MessageTemplate] | None:
    """Word the messages that are sent to people, in several languages.

    When: once at startup; the plugin notifications fills a template in when a message of it is stored.
    Return: templates, each with texts by language, and with a sample of every field that stands in them.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``; a text with a field that the
        template lacks, or a template without English, with ``InvalidDeclaration``.
    Not for: messages that are written for one occasion; send those as they are.
    Example: ``plugins/customers``.
    """


@hookspec
def register_payment_methods() -> Sequence[PaymentMethod] | None:
    """Offer ways to pay an order, such as cash, or a provider on whose pages a person pays.

    When: once at startup; a provider is called after the payment that it is to collect has been written down.
    Return: the methods this plugin adds, each with a provider unless it is booked at once.
    Conflict: two methods with one ``code`` stop the startup with ``DuplicateRegistration``.
    Not for: what has become of a payment; the plugin payments keeps that, and asks providers until it is certain.
    Example: ``plugins/payments``.
    """


@hookspec
def register_payment_books() -> Sequence[PaymentBook] | None:
    """Keep a book of payments as they are booked, such as that of a cash drawer.

    When: once at startup; its steps run in the transaction of each payment and refund of the methods it names.
    Return: the books this plugin keeps.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: what may happen after an order was paid; handle the events of the plugin payments.
    Example: ``plugins/drawer``.
    """


@hookspec
def register_cash_on_delivery() -> Sequence[CashOnDelivery] | None:
    """Book the cash that drivers take at the door.

    When: once at startup; ``collect`` runs in the transaction of each delivery that a driver completes.
    Return: one declaration; without any, deliveries book nothing.
    Conflict: two plugins that declare it stop the startup with ``DuplicateRegistration``.
    Not for: cash that is handed over in the store; that is a payment.
    Example: ``plugins/payments``.
    """


@hookspec
def register_erasers() -> Sequence[PersonalDataEraser] | None:
    """Forget a person when a store is to forget them.

    When: once at startup; an eraser runs in the transaction in which a customer is erased.
    Return: erasers, for whatever this plugin keeps of people.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: data that grows old; delete that in a task.
    Example: ``plugins/reservations``.
    """


@hookspec
def register_references() -> Sequence[Reference] | None:
    """Check ids of this plugin's rows that stand in the bodies of others' routes, such as a customer of a stay.

    When: once at startup; a reference is asked before a body with such an id is stored.
    Return: references, each with a name in the singular.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: ids of a plugin that the other one depends on; it calls that plugin's ``api``.
    Example: ``plugins/customers``.
    """


@hookspec
def register_mcp_servers() -> Sequence[McpServer] | None:
    """Open an address at which AI agents of one audience find tools.

    When: once at startup; core answers JSON-RPC there and counts, admits and logs the calls.
    Return: servers, each with its path, who may call it and instructions for agents.
    Conflict: two servers with one ``name`` or one path stop the startup with ``DuplicateRegistration``; a caller kind
        that nobody declares, with ``UnknownReference``.
    Not for: a tool for an audience that has a server.
    Example: ``mcp_servers/admin``.
    """


@hookspec
def register_mcp_tools() -> Sequence[Tool] | None:
    """Let AI agents do something, on one server or on several.

    When: once at startup, after the servers; a tool is served where a server that it names is installed.
    Return: tools, each calling the services that routes call.
    Conflict: two tools of one server with one ``name`` stop the startup with ``DuplicateRegistration``; a server that
        nobody declares or knows, with ``UnknownReference``; a field without a description, with ``InvalidDeclaration``.
    Not for: what must also be possible over HTTP and is not.
    Example: ``mcp_servers/admin``.
    """


@hookspec
def register_settings() -> type[PluginSettings] | None:
    """Read settings from the environment, under ``COMANDA_<PLUGIN>_``.

    When: first of all hooks.
    Return: a settings class; its validated instance is had from ``settings.of(TheClass)``.
    Conflict: none; the prefix is the plugin's own. A value that does not validate stops the startup.
    Not for: what an owner decides for a store; that is data.
    Example: ``plugins/webhooks``.
    """


@hookspec
def register_commands() -> Sequence[click.Command] | None:
    """Add commands to ``comanda``.

    When: whenever the command line starts.
    Return: click commands or groups.
    Conflict: two commands with one name stop the startup with ``DuplicateRegistration``.
    Not for: anything that must also be possible over HTTP and is not.
    Example: ``plugins/webhooks`` with ``comanda listen``.
    """


@hookspec
def register_pages() -> Sequence[Pages] | None:
    """Show web pages to a person, in the styles that all pages share.

    When: once at startup; the pages are answered by Quart.
    Return: blueprints, each with the links that stand on the start page.
    Conflict: two blueprints with one name, or two that answer at one address, stop the startup with
        ``DuplicateRegistration``; a page under the API's prefix, with ``InvalidDeclaration``.
    Not for: programs; declare routes for them.
    Example: core's own pages, in ``core_plugin.py``.
    """


@hookspec
def register_docs() -> Sequence[Chapter] | None:
    """Explain the plugin to whoever uses what it adds: its routes, fields, rules and limits.

    When: once at startup; the text is read when somebody asks for it.
    Return: chapters of Markdown inside the plugin's wheel.
    Conflict: two chapters with one ``name`` stop the startup with ``DuplicateRegistration``; a file that is not in the
        wheel, with ``InvalidDeclaration``.
    Not for: how the plugin works inside; that is its README.
    Example: ``plugins/webhooks``.
    """


@hookspec
def register_demo_data() -> Sequence[DemoData] | None:
    """Fill an empty installation with believable data, and say how to log in to it.

    When: in ``comanda demo`` and ``comanda run``, in the order in which plugins depend on each other.
    Return: steps; each is skipped when it has run before.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: data that an installation needs to work; put that in a migration.
    Example: ``verticals/restaurant``.
    """
