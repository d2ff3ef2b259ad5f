"""The plugin contract: every hook, on one page.

A plugin is a module named by an entry point in the group ``comanda.plugins``. It implements any of these hooks with
``from comanda import hookimpl``. Hooks run once at startup and return frozen declarations; they have no side effects.
The objects they return do the work, ``async`` where needed. Two declarations with the same name, or a reference to
something that is not declared, stop the startup with an error that names the plugins.
"""

from collections.abc import Sequence

import click
import pluggy

from comanda.contracts.background.events import Event, EventHandler
from comanda.contracts.background.messaging import MessageTemplate, Transport
from comanda.contracts.background.queues import LeasedQueue
from comanda.contracts.background.tasks import Reconciler, Task
from comanda.contracts.data.database_upkeep import DatabaseUpkeep
from comanda.contracts.data.model_sets import ModelSet
from comanda.contracts.demo import DemoData
from comanda.contracts.entitlements import EntitlementProvider, Feature
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.orders.fulfillment import FulfillmentMode
from comanda.contracts.orders.participants import OrderParticipant
from comanda.contracts.orders.sections import Section
from comanda.contracts.payments.cash_on_delivery import CashOnDelivery
from comanda.contracts.payments.online_payments import OnlinePayments
from comanda.contracts.payments.providers import PaymentBook, PaymentMethod
from comanda.contracts.requests.callers import CallerKind
from comanda.contracts.requests.mcp import McpServer, Tool
from comanda.contracts.requests.references import Reference
from comanda.contracts.requests.routes import Routes
from comanda.contracts.scopes import Scope
from comanda.contracts.settings import PluginSettings
from comanda.contracts.stores.hosts import StoreHosts
from comanda.contracts.stores.menu_items import MenuTexts
from comanda.contracts.stores.settings import StoreSettings
from comanda.contracts.stores.verticals import ItemCapability, Vertical
from comanda.contracts.tracing import Tracing
from comanda.contracts.web.dashboard import NavigationEntry, Panel
from comanda.contracts.web.documentation import Chapter
from comanda.contracts.web.pages import Pages

hookspec = pluggy.HookspecMarker("comanda")


@hookspec
def register_models() -> Sequence[ModelSet] | None:
    """Register database tables and their migration history.

    When: at startup and in ``comanda migrate``, before the database is opened.
    Return: one model set; its ``app`` is the plugin's name and the prefix of its tables.
    Conflict: two sets of one ``app``, or two models of one table, stop the startup with ``DuplicateRegistration``.
    Not for: relations to another app's models; store a plain id and write the foreign key in the migration.
    Example: ``plugins/webhooks``.
    """


@hookspec
def register_routes() -> Sequence[Routes] | None:
    """Register HTTP routes of the REST API, or outside of it.

    When: once at startup, after settings are read.
    Return: groups of routes; each route states who may call it, its scope, its tag and its schemas. The router, the
        OpenAPI description, the discovery index and the tenant isolation test all read these declarations.
    Conflict: two routes with the same method and path stop the startup with ``DuplicateRegistration``.
    Not for: web pages; register those with ``register_pages``.
    Example: ``plugins/webhooks``.
    """


@hookspec
def register_caller_kinds() -> Sequence[CallerKind] | None:
    """Register kinds of access tokens: their holders, prefix, header and lifetime.

    When: once at startup, before routes are checked.
    Return: the kinds; core stores, looks up and revokes their tokens.
    Conflict: two kinds with one ``code`` or one ``prefix`` stop the startup with ``DuplicateRegistration``.
    Not for: permissions; register scopes, which routes require and tokens carry.
    Example: ``core/src/comanda/accounts``.
    """


@hookspec
def register_scopes() -> Sequence[Scope] | None:
    """Register scopes, which tokens carry and routes, tools and events require.

    When: once at startup, after the caller kinds.
    Return: scopes, each with the caller kinds whose tokens may carry it, owners' if it names none.
    Conflict: two scopes with one ``name`` on one caller kind stop the startup with ``DuplicateRegistration``; a caller
        kind that is not declared stops it with ``UnknownReference``. So does a route, tool, server or event that
        requires a scope that no plugin declares for its callers.
    Not for: what an owner has paid for; register a feature with ``register_entitlements``.
    Example: ``plugins/webhooks``.
    """


@hookspec
def register_entitlements() -> Sequence[Feature | EntitlementProvider] | None:
    """Register features that plans may include, and the provider that decides who is entitled to them.

    When: once at startup; the provider is asked for each call of a route or tool that states a ``feature``.
    Return: features of this plugin, or the provider. Without one, every owner is entitled to everything.
    Conflict: two features with one ``code``, or two providers, stop the startup with ``DuplicateRegistration``; a route
        or tool with a feature that no plugin declares stops it with ``UnknownReference``.
    Not for: what a program may do on an owner's behalf; register scopes.
    Example: ``plugins/webhooks``.
    """


@hookspec
def register_verticals() -> Sequence[Vertical] | None:
    """Register store types, such as ``restaurant`` or ``pharmacy``.

    When: once at startup.
    Return: the verticals, each with the capabilities and fulfillment modes of its stores.
    Conflict: two verticals with one ``store_type`` stop the startup with ``DuplicateRegistration``; a capability or
        mode that is not declared stops it with ``UnknownReference``.
    Not for: a feature shared by several store types; that is a plugin with a capability.
    Example: ``verticals/restaurant``.
    """


@hookspec
def register_item_capabilities() -> Sequence[ItemCapability] | None:
    """Register item fields that come with a store capability, such as ``is_vegan`` with ``dietary``.

    When: once at startup, before verticals are checked.
    Return: capabilities, each with a pydantic model of its fields; core validates, stores and returns the fields.
    Conflict: two with one ``code``, or one field name in two of them, stop the startup with ``DuplicateRegistration``.
    Not for: data that needs more than a few fields per item; keep it in your own tables.
    Example: ``verticals/restaurant``.
    """


@hookspec
def register_menu_texts() -> Sequence[MenuTexts] | None:
    """Register where the texts of menus in other languages come from.

    When: once at startup; texts are read when a guest first sees a version of a menu in a language.
    Return: loaders of texts; of two that have a text, the one whose plugin is loaded first gives it.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: sentences of pages, which are translated by gettext files.
    Example: ``plugins/languages``.
    """


@hookspec
def register_fulfillment_modes() -> Sequence[FulfillmentMode] | None:
    """Register fulfillment modes, such as delivery, takeaway or on-table.

    When: once at startup, before verticals are checked.
    Return: the modes this plugin adds. Call order is not significant.
    Conflict: two modes with one ``code`` stop the startup with ``DuplicateRegistration``.
    Not for: restricting the modes of a single store; its vertical lists them.
    Example: ``verticals/restaurant``.
    """


@hookspec
def register_order_participants() -> Sequence[OrderParticipant] | None:
    """Register order participants, which check and price orders, reserve resources for them or write rows with them.

    When: once at startup; the steps run for each order that matches the participant's modes and capability.
    Return: participants, each with the steps it needs, and a ``priority`` if their order matters. Steps return frozen
        values of ``comanda.contracts.orders.charges`` and ``order_participants``, which core combines.
    Conflict: two with one ``name``, or a body field that core or another participant of the same orders already has,
        stop the startup with ``DuplicateRegistration``; a mode that is not declared stops it with ``UnknownReference``.
        Two plugins that contribute the same to one order, such as a charge, have it refused with 409 and both names.
    Not for: work that can happen after the order is placed; handle ``OrderCreated``.
    Example: ``plugins/collection``.
    """


@hookspec
def register_sections() -> Sequence[Section] | None:
    """Register sections, which add keys to the record of an order, of a line or of order tracking.

    When: once at startup; a section is loaded whenever a whole order or its public record is read, or an order is
        placed, unless the plugin's order participant says what a new order has.
    Return: sections, each with the model of its keys.
    Conflict: two sections with one ``name``, or a key that another section or core already has in the same record, stop
        the startup with ``DuplicateRegistration``; a key without a default stops it with ``InvalidDeclaration``.
    Not for: data known when the order is placed; a mode or a participant stores it with the order.
    Example: ``plugins/drivers``.
    """


@hookspec
def register_events() -> Sequence[type[Event]] | None:
    """Register event types, so that event handlers and webhook endpoints can subscribe to them.

    When: once at startup.
    Return: event classes, each with its name, the scope required to read it and a sample.
    Conflict: two events with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: messages within one plugin; call your own service.
    Example: ``core/src/comanda/orders``.
    """


@hookspec
def register_event_handlers() -> Sequence[EventHandler] | None:
    """Register event handlers, which run at least once per event, outside the transaction that caused it.

    When: once at startup; the handlers run in every process that runs the dispatcher.
    Return: handlers, each with a permanent name and the events it handles.
    Conflict: two handlers with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: work that must happen in the same transaction as its cause.
    Example: ``plugins/webhooks``.
    """


@hookspec
def register_tasks() -> Sequence[Task | LeasedQueue] | None:
    """Register background work: a ``Task`` by name or schedule, a ``LeasedQueue`` for rows that wait in a table.

    When: once at startup; the work is carried by taskiq to every worker.
    Return: tasks and queues. A task may be lost with its process and runs again at its next scheduled time, and never
        overlaps itself; the rows of a queue are never lost.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: reacting to an event; register an event handler.
    Example: ``plugins/webhooks``.
    """


@hookspec
def register_transports() -> Sequence[Transport] | None:
    """Register transports that deliver messages by SMS, e-mail or push.

    When: once at startup; a transport is asked whether it is ready, and given messages, in the processes that send
        them.
    Return: transports, each for one channel, with a ``priority`` if a channel has several.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: sending messages; call ``send`` in the ``api`` of the plugin notifications, which stores and retries them.
    Example: ``plugins/notifications``.
    """


@hookspec
def register_message_templates() -> Sequence[MessageTemplate] | None:
    """Register the texts of messages to people, in several languages.

    When: once at startup; the plugin notifications renders a template when it stores a message.
    Return: templates, each with texts by language and a sample value for every field in them.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``; a text with a field that the
        template does not declare, or a template without English, stops it with ``InvalidDeclaration``.
    Not for: one-off messages; send their text directly.
    Example: ``plugins/customers``.
    """


@hookspec
def register_payment_methods() -> Sequence[PaymentMethod] | None:
    """Register payment methods, such as cash, or a provider with a hosted payment page.

    When: once at startup; a provider is called after the payment it is to collect has been stored.
    Return: the methods this plugin adds, each with a provider unless it is recorded immediately.
    Conflict: two methods with one ``code`` stop the startup with ``DuplicateRegistration``.
    Not for: accounts, webhooks or the state of a payment; the plugin payments keeps and receives them.
    Example: ``plugins/stripe``.
    """


@hookspec
def register_online_payments() -> Sequence[OnlinePayments] | None:
    """Register how pages learn whether guests of a store can pay online, or have to, and where.

    When: once at startup; ``is_offered`` is awaited by pages and outside of transactions, the others are called there.
    Return: one declaration; without one, no page offers it.
    Conflict: two plugins that declare it stop the startup with ``DuplicateRegistration``.
    Not for: a payment method of one more provider; register that.
    Example: ``plugins/payments``.
    """


@hookspec
def register_payment_books() -> Sequence[PaymentBook] | None:
    """Register ledgers that record each payment and refund, such as that of a cash drawer.

    When: once at startup; the steps run in the transaction of each payment and refund by the methods it names.
    Return: the ledgers this plugin keeps.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: work that can happen after an order is paid; handle the events of the plugin payments.
    Example: ``plugins/drawer``.
    """


@hookspec
def register_cash_on_delivery() -> Sequence[CashOnDelivery] | None:
    """Register how cash that drivers collect at the door is recorded.

    When: once at startup; ``collect`` runs in the transaction of each delivery that a driver completes.
    Return: one declaration; without one, deliveries record no payment.
    Conflict: two plugins that declare it stop the startup with ``DuplicateRegistration``.
    Not for: cash paid in the store; that is a payment.
    Example: ``plugins/payments``.
    """


@hookspec
def register_erasers() -> Sequence[PersonalDataEraser] | None:
    """Register erasers, which delete or anonymize a customer's personal data on request, or take part when an owner is.

    When: once at startup; an eraser runs in the transaction in which a customer or an owner is erased.
    Return: erasers for all personal data that this plugin stores.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: data past its retention period; delete that in a task.
    Example: ``plugins/reservations``.
    """


@hookspec
def register_database_upkeep() -> Sequence[DatabaseUpkeep] | None:
    """Register the upkeep of databases that are distributed over nodes, or have log tables in partitions.

    When: once at startup; it runs after migrations, and when ``comanda doctor`` checks the database.
    Return: upkeep, or None.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: work on the plugin's own rows; register a task.
    Example: ``plugins/cluster``.
    """


@hookspec
def register_references() -> Sequence[Reference] | None:
    """Register checks of this plugin's ids in request bodies of other plugins, such as a stay's customer.

    When: once at startup; the check runs before a body with such an id is stored.
    Return: references, each with a name in the singular.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: ids of a plugin that yours depends on; call that plugin's ``api``.
    Example: ``plugins/customers``.
    """


@hookspec
def register_reconcilers() -> Sequence[Reconciler] | None:
    """Register how the plugin catches up after it was not installed or disabled for a while.

    When: once at startup; ``run`` is awaited in a worker after each absence, at least once.
    Return: one reconciler, whose ``plugin`` is the plugin's name.
    Conflict: two of one plugin stop the startup with ``DuplicateRegistration``.
    Not for: data of the time before the first installation; fill it in with a migration.
    Example: ``examples/florist``.
    """


@hookspec
def register_mcp_servers() -> Sequence[McpServer] | None:
    """Register MCP servers, each with its own address and audience.

    When: once at startup; core answers JSON-RPC there, authenticates and limits the calls, and logs them.
    Return: servers, each with its path, the caller kinds it accepts and instructions for agents.
    Conflict: two servers with one ``name`` or one path stop the startup with ``DuplicateRegistration``; a caller kind
        that is not declared stops it with ``UnknownReference``.
    Not for: a tool for an audience that already has a server.
    Example: ``mcp_servers/admin``.
    """


@hookspec
def register_mcp_tools() -> Sequence[Tool] | None:
    """Register MCP tools, each served by one or more servers.

    When: once at startup, after the servers; a tool is served by those of its servers that are installed.
    Return: tools, each calling the same services as routes.
    Conflict: two tools of one server with one ``name`` stop the startup with ``DuplicateRegistration``; an unknown
        server stops it with ``UnknownReference``; a field without a description stops it with ``InvalidDeclaration``.
    Not for: features that should be available over HTTP and are not.
    Example: ``mcp_servers/admin``.
    """


@hookspec
def register_settings() -> type[PluginSettings] | None:
    """Register settings, read from environment variables ``COMANDA_<PLUGIN>_…``.

    When: before all other hooks.
    Return: a settings class; get its validated instance with ``runtime.settings_of(TheClass)``.
    Conflict: none, because the prefix is the plugin's own. A value that does not validate stops the startup.
    Not for: decisions of an owner about a store; register those with ``register_store_settings``.
    Example: ``plugins/webhooks``.
    """


@hookspec
def register_store_settings() -> Sequence[StoreSettings] | None:
    """Register settings of a store, which its owner reads and changes over the API and in pages.

    When: once at startup, after the verticals. Core stores the values, checks them, and serves the routes
        ``/restaurants/{id}/settings/<plugin>``; read them with ``comanda.stores.store_settings.get_store_settings``.
    Return: one declaration, whose ``plugin`` is the plugin's name.
    Conflict: two of one plugin stop the startup with ``DuplicateRegistration``; a field without a default or a label
        stops it with ``InvalidDeclaration``, a capability that is not declared with ``UnknownReference``.
    Not for: what an operator decides for the installation; register those with ``register_settings``.
    Example: ``examples/cardpay``.
    """


@hookspec
def register_store_hosts() -> Sequence[StoreHosts] | None:
    """Register the hosts of stores: names at which the pages of one store answer, such as ``pizzeria-roma.de``.

    When: once at startup. Core loads the hosts into memory, renews them after ``notifier.announce_host_change``, leads
        requests with these names to pages of their stores, and puts the names into canonical addresses and links.
    Return: one declaration; without one, all stores share the address of the installation.
    Conflict: two plugins that declare it stop the startup with ``DuplicateRegistration``.
    Not for: hosts that have not been proven to belong to the store's owner.
    Example: ``plugins/domains``.
    """


@hookspec
def register_tracing() -> Sequence[Tracing] | None:
    """Register how spans of requests, of plugins' steps and of background work are recorded.

    When: once at startup; spans are recorded from the opening of the database to its closing.
    Return: one declaration; without one, nothing is recorded.
    Conflict: two plugins that declare it stop the startup with ``DuplicateRegistration``.
    Not for: counts and durations for alerts; those are metrics.
    Example: ``plugins/opentelemetry``.
    """


@hookspec
def register_commands() -> Sequence[click.Command] | None:
    """Register commands of ``comanda``.

    When: whenever the command line starts.
    Return: click commands or groups.
    Conflict: two commands with one name stop the startup with ``DuplicateRegistration``.
    Not for: features that should be available over HTTP and are not.
    Example: ``plugins/webhooks`` with ``comanda listen``.
    """


@hookspec
def register_pages() -> Sequence[Pages] | None:
    """Register web pages, in the style that all pages share.

    When: once at startup; Quart serves the pages.
    Return: blueprints, each with its links for the start page.
    Conflict: two blueprints with one name, or addresses that one path fits, stop the startup with
        ``DuplicateRegistration``; a page under the API's prefix, or a hook for all pages such as
        ``before_app_request``, stops it with ``InvalidDeclaration``.
    Not for: clients that are programs; register routes for them.
    Example: ``core/src/comanda/web``.
    """


@hookspec
def register_navigation() -> Sequence[NavigationEntry] | None:
    """Register links in the navigation of the dashboard.

    When: once at startup, after pages.
    Return: entries, each with its group, icon and the scope that people need to see it.
    Conflict: two entries with one ``path`` and audience stop the startup with ``DuplicateRegistration``; an unknown
        group with ``InvalidDeclaration``.
    Not for: links on the start page; those are part of ``register_pages``.
    Example: ``plugins/dashboard``.
    """


@hookspec
def register_panels() -> Sequence[Panel] | None:
    """Register panels on pages of the dashboard, such as what a plugin knows of an order.

    When: once at startup; ``load`` runs for each page that has the panel's place.
    Return: panels, each with the place that it belongs to.
    Conflict: two panels with one ``name`` stop the startup with ``DuplicateRegistration``; an unknown place with
        ``InvalidDeclaration``.
    Not for: pages of their own; register those with ``register_pages``.
    Example: ``plugins/analytics``.
    """


@hookspec
def register_docs() -> Sequence[Chapter] | None:
    """Register chapters of the guide for users of the plugin: its routes, fields, rules and limits.

    When: once at startup; the text is read on request.
    Return: chapters in Markdown inside the plugin's wheel.
    Conflict: two chapters with one ``name`` stop the startup with ``DuplicateRegistration``; a file that is not in the
        wheel stops it with ``InvalidDeclaration``.
    Not for: the plugin's internals; describe those in its README.
    Example: ``plugins/webhooks``.
    """


@hookspec
def register_demo_data() -> Sequence[DemoData] | None:
    """Register demo data for an empty installation, with its logins.

    When: in ``comanda demo`` and ``comanda run``, in the order in which plugins depend on each other.
    Return: steps; each is skipped if it has already run.
    Conflict: two with one ``name`` stop the startup with ``DuplicateRegistration``.
    Not for: data that an installation needs to work; put it in a migration.
    Example: ``verticals/restaurant``.
    """
