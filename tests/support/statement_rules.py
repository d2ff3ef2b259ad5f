"""The rules of "data has owners", and the statements that are exempt from one, each with the reason."""

import asyncio
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import asyncpg
from pglast.parser import ParseError
from recorded_statements import RecordedStatement
from statement_analysis import Analysis, UnknownStatement, analyze

# The history of migrations, which the migrations' runner and the removal of plugins keep.
HISTORY: Final = "aerich"
PUBLISHED: Final = re.compile(r"_v\d+$")
SELECT_COLUMNS: Final = """
    SELECT table_name::text AS name, array_agg(column_name::text) AS columns FROM information_schema.columns
    WHERE table_schema = 'public' GROUP BY 1
"""

# What whoever comes without an owner brings along. It finds one row; whatever is joined to it must be tied by itself.
ENTRIES: Final = {
    "core_access_token": frozenset({"token_hash"}),
    "core_store": frozenset({"id", "slug"}),
    "core_store_v1": frozenset({"id", "slug"}),
    "oauth_access_token": frozenset({"token_hash"}),
    "oauth_client": frozenset({"client_id"}),
    "oauth_code": frozenset({"code_hash"}),
    "oauth_refresh_token": frozenset({"token_hash"}),
}

CLIENT: Final = "a client is its developer's, and everybody's to install"
RETENTION: Final = "deletes or prunes what is old, of all owners"
QUEUE: Final = "claims what is due, of all owners"
OPERATOR: Final = "a command or a measurement of the operator, over all owners"
# By module and table; "*" is any table.
UNTIED: Final = {
    ("comanda.accounts.administration", "core_store"): OPERATOR,
    ("comanda.accounts.codes", "core_login_code"): "counts codes by address over all owners, so that none is flooded",
    ("comanda.accounts.login_attempts", "core_login_try"): RETENTION,
    ("comanda.accounts.sign_in.one_time_tokens", "core_one_time_token"): RETENTION,
    ("comanda.accounts.web_sessions", "core_web_session"): RETENTION,
    ("comanda.operations.diagnostics.absent_plugins", "*"): OPERATOR,
    ("comanda.operations.diagnostics.database", "core_event_lane"): OPERATOR,
    ("comanda.operations.diagnostics.database", "core_outbox"): OPERATOR,
    ("comanda.platform.events.dispatcher", "core_event_lane"): RETENTION,
    ("comanda.platform.events.lanes", "core_event_lane"): OPERATOR,
    ("comanda.platform.events.dispatcher", "core_outbox"): QUEUE,
    ("comanda.orders.lists.search_index", "core_order"): "adds the orders of all owners to the index",
    ("comanda.orders.lists.search_index", "core_order_search"): "finds how far the index has come, over all owners",
    ("comanda.orders.track_tokens", "core_order"): "finds the owner of a track token of an earlier version",
    ("comanda.platform.photos.sweep", "core_photo"): RETENTION,
    ("comanda.platform.photos.sweep", "core_gallery_picture"): RETENTION,
    ("comanda.platform.photos.sweep", "core_store"): RETENTION,
    ("comanda.platform.plugin_lifecycle.purge", "*"): OPERATOR,
    ("comanda.web.store_directory", "*"): "lists public stores of all owners",
    ("comanda_analytics.services.backfill", "analytics_store"): "finds stores to count, of all owners",
    ("comanda_analytics.services.backfill", "core_order_tally_v1"): "finds stores to count, of all owners",
    ("comanda_analytics.services.backfill", "core_store_v1"): "finds stores to count, of all owners",
    ("comanda_analytics.services.consistency_check", "analytics_store"): "finds stores to check, of all owners",
    ("comanda_carparts.services.fitment_store", "carparts_fitment"): RETENTION,
    ("comanda_carparts.services.fitment_store", "carparts_fitment_item"): RETENTION,
    ("comanda_closings.services.backfill", "closings_store"): "finds stores to count, of all owners",
    ("comanda_closings.services.backfill", "core_order_tally_v1"): "finds stores to count, of all owners",
    ("comanda_collection.tasks", "collection_slot"): RETENTION,
    ("comanda_customers.services.guest_list.counts", "customers_guest_count"): "sums up the counts of all owners",
    (
        "comanda_domains.services.proven_hosts",
        "*",
    ): "a name belongs to one store of all owners, and its requests name no owner",
    (
        "comanda_drivers.services.accounts.login",
        "drivers_driver",
    ): "a driver logs in by phone and then chooses among owners",
    (
        "comanda_drivers.services.accounts.login",
        "core_store_v1",
    ): "a page suggests a country before anybody has logged in",
    ("comanda_drivers.tasks", "drivers_photo"): RETENTION,
    ("comanda_drivers.tasks", "drivers_trail"): RETENTION,
    ("comanda_entitlements.tasks", "entitlements_monthly_orders"): RETENTION,
    ("comanda_entitlements.tasks", "entitlements_source"): RETENTION,
    ("comanda_marketplace.erasure", "marketplace_installation"): "counts who else uses the apps of an erased developer",
    ("comanda_reseller.erasure", "*"): "an erased owner may be the customer of a reseller",
    ("comanda_wallet.erasure", "wallet_leg"): "earnings of an erased owner are legs in the entries of others",
    ("comanda_staff.services.stores", "core_store_v1"): "finds a store by slug or id",
    (
        "comanda_marketplace.services.apps.app_rows",
        "marketplace_app",
    ): "apps belong to developers and are used by other owners",
    (
        "comanda_marketplace.services.installations.app_webhooks",
        "marketplace_installation",
    ): "changes the endpoints of an app's users",
    ("comanda_marketplace.services.listings.listings", "marketplace_app"): "lists the approved apps of all developers",
    ("comanda_marketplace.services.listings.review", "marketplace_app"): OPERATOR,
    (
        "comanda_marketplace.services.listings.screenshots",
        "marketplace_screenshot",
    ): "finds a public file by the app and its hash",
    ("comanda_marketplace.services.billing.subscriptions", "marketplace_installation"): QUEUE,
    ("comanda_marketplace.services.installations.erasure_requests", "marketplace_installation"): QUEUE,
    (
        "comanda_marketplace.services.apps.totals",
        "marketplace_charge",
    ): "sums what the users of an app paid, for its developer",
    (
        "comanda_marketplace.services.apps.totals",
        "marketplace_installation",
    ): "counts the users of an app, for its developer",
    (
        "comanda_marketplace.services.apps.totals",
        "marketplace_usage",
    ): "sums what the users of an app paid, for its developer",
    ("comanda_hotel.services.holds", "hotel_stay"): QUEUE,
    ("comanda_pharmacy.services.expiry", "core_store_v1"): QUEUE,
    ("comanda_pharmacy.services.expiry", "pharmacy_batch"): QUEUE,
    ("comanda_loyalty.services.expiry", "loyalty_programme"): "finds programmes whose points expire, of all owners",
    ("comanda_mcp_catalog.services.catalog_search", "core_menu_category_v1"): "searches the listed stores of everyone",
    ("comanda_mcp_catalog.services.catalog_search", "core_menu_item_v1"): "searches the listed stores of everyone",
    ("comanda_mcp_catalog.services.catalog_search", "core_store_v1"): "searches the listed stores of everyone",
    ("comanda_mcp_catalog.services.catalog_search", "core_variant_v1"): "searches the listed stores of everyone",
    ("comanda_mobile.services.handoffs", "mobile_handoff"): RETENTION,
    (
        "comanda_notifications.services.delivery_reports",
        "notifications_message",
    ): "the operator's gateway names the message or the number alone",
    ("comanda_notifications.services.devices", "core_access_token_v1"): RETENTION,
    ("comanda_notifications.services.devices", "notifications_device"): RETENTION,
    ("comanda_notifications.services.messages", "notifications_message"): OPERATOR,
    ("comanda_notifications.services.order_devices", "core_order_v1"): RETENTION,
    ("comanda_notifications.services.order_devices", "notifications_order_device"): RETENTION,
    ("comanda_notifications.tasks", "notifications_message"): RETENTION,
    ("comanda_oauth.services.installations.consent", "core_store_v1"): "the only store of an installation",
    ("comanda_oauth.services.app_checks", "oauth_client"): CLIENT,
    ("comanda_oauth.services.installations.app_installation", "oauth_client"): CLIENT,
    ("comanda_oauth.tasks", "*"): RETENTION,
    ("comanda_oidc.services.identities", "oidc_identity"): "a person comes from a provider before the owner is known",
    ("comanda_oauth.services.installations.installations", "oauth_client"): CLIENT,
    ("comanda_oauth.services.installations.connections", "oauth_client"): CLIENT,
    ("comanda_oauth.services.installations.connections", "oauth_installation"): "the clients of a developer",
    (
        "comanda_oauth.services.installations.installations",
        "oauth_installation",
    ): "counts or ends a client's installations",
    ("comanda_payments.services.accounts.account_checks", "payments_account"): QUEUE,
    (
        "comanda_payments.services.providers.disputes",
        "payments_payment",
    ): "a webhook for all accounts names the charge alone",
    ("comanda_payments.services.providers.hosted_payments", "payments_payment"): QUEUE,
    (
        "comanda_payments.services.accounts.payment_accounts",
        "payments_account",
    ): "a webhook for all accounts names the account",
    ("comanda_payments.services.bills.payment_deadlines", "payments_deadline"): QUEUE,
    ("comanda_payments.services.prepaid.prepayment_checkout", "payments_prepayment"): QUEUE,
    ("comanda_payments.services.refunding.refund_settlement", "payments_refund_part"): QUEUE,
    ("comanda_reseller.services.resellers.account_administration", "*"): OPERATOR,
    (
        "comanda_reseller.services.customers.invitations",
        "reseller_customer",
    ): "finds the customer by a link",
    ("comanda_reseller.services.customers.own_subscription", "reseller_customer"): "finds the reseller of an account",
    ("comanda_reseller.services.invoices.reminders", "reseller_invoice"): QUEUE,
    ("comanda_staff.services.enrolment", "staff_device_request"): RETENTION,
    ("comanda_staff.services.lockout", "staff_pin_try"): RETENTION,
    ("comanda_staff.services.login", "staff_device"): RETENTION,
    ("comanda_staff.services.page_login", "staff_member"): "a member of staff logs in by e-mail, before the store",
    (
        "comanda_staff.services.store_selection",
        "core_store_v1",
    ): "a member of staff logs in by e-mail, before the store",
    ("comanda_staff.services.store_selection", "staff_member"): "a member of staff logs in by e-mail, before the store",
    (
        "comanda_storefront.services.published_stores",
        "themes_live_v1",
    ): "joins the published theme of a store found by its slug",
    ("comanda_storefront.tasks", "storefront_cart"): RETENTION,
    ("comanda_wallet.services.earnings", "wallet_entry"): "what a developer earned in the entries of other owners",
    ("comanda_wallet.services.earnings", "wallet_leg"): "what a developer earned in the entries of other owners",
    ("comanda_wallet.navigation", "wallet_leg"): "asks whether a developer has earned in the entries of other owners",
    ("comanda_wallet.services.verification", "*"): OPERATOR,
    ("comanda_deliverect.tasks", "deliverect_order"): RETENTION,
    ("comanda_hubrise.tasks", "hubrise_order"): RETENTION,
    ("comanda_printing.tasks", "printing_job"): RETENTION,
    ("comanda_webhooks.tasks", "webhooks_attempt"): RETENTION,
    ("comanda_webhooks.tasks", "webhooks_delivery"): RETENTION,
    ("comanda_webhooks.tasks", "webhooks_endpoint"): RETENTION,
}

# The same for statements that are composed when they run, and therefore found in no source.
UNTIED_WHEN_COMPOSED: Final = {
    ("comanda.platform.encryption.columns", "*"): "encrypts the columns of all owners anew, for a new key",
    ("comanda.platform.queue.dead_letters", "*"): OPERATOR,
    ("comanda.platform.queue.leases", "*"): QUEUE,
}
# They compose one statement of what plugins declare: queries that are checked in their sources, and queues.
COMPOSED_OF_QUERIES: Final = frozenset({"comanda.platform.queue.due_checks", "comanda.web.dashboard.navigation"})

Tables = Mapping[str, frozenset[str]]


def find_violations(statement: RecordedStatement, tables: Tables) -> Iterator[str]:
    """Yield a sentence for each rule that a statement breaks."""
    if statement.module in COMPOSED_OF_QUERIES:
        return
    try:
        found = analyze(statement.text, tables, ENTRIES)
    except (ParseError, UnknownStatement) as error:
        yield f"It cannot be analyzed: {error!r}."
        return
    apps = find_apps(statement, found, tables)
    for table in sorted(found.writes & tables.keys() - {HISTORY}):
        if not _is_own(table, apps):
            yield f"{apps[0]} writes {table}, which belongs to another app. Call that app's service or api."
    for table in sorted(found.reads & tables.keys() - {HISTORY}):
        if not _is_own(table, apps) and not PUBLISHED.search(table):
            yield f"{apps[0]} reads {table}, which belongs to another app. Read a published view or call its api."
    for table in sorted(found.untied):
        if not _is_exempt(statement.module, table):
            yield f"Rows of {table} are not tied to an owner: compare their owner_id with a parameter."


def find_apps(statement: RecordedStatement, found: Analysis, tables: Tables) -> list[str]:
    """Return the apps whose tables a statement may name: the plugin's that runs it, or core's.

    Core knows no plugin's table, so where it names one, such as in a search or a queue, one plugin gave it that name.
    """
    package = statement.module.partition(".")[0]
    if package != "comanda":
        return [package.removeprefix("comanda_")]
    others = sorted((found.reads | found.writes) & tables.keys() - {HISTORY})
    return ["core", *[table.partition("_")[0] for table in others if not _is_own(table, ["core"])][:1]]


def _is_exempt(module: str, table: str) -> bool:
    exempt = UNTIED | UNTIED_WHEN_COMPOSED
    return (module, table) in exempt or (module, "*") in exempt


def _is_own(table: str, apps: Sequence[str]) -> bool:
    return any(table.startswith(f"{app}_") for app in apps)


_tables: Final[dict[object, Tables]] = {}


def get_tables(database: Mapping[str, object]) -> Tables:
    """Return the columns of all tables and views of a database, which ``asyncpg.connect`` takes; read once."""
    name = database["database"]
    if name not in _tables:
        _tables[name] = _read_tables(database)
    return _tables[name]


def _read_tables(database: Mapping[str, object]) -> dict[str, frozenset[str]]:
    # In a thread with a loop of its own, since the tests' loop may be running.
    found: dict[str, frozenset[str]] = {}

    async def read() -> None:
        opened = await asyncpg.connect(**database)
        try:
            found.update({row["name"]: frozenset(row["columns"]) for row in await opened.fetch(SELECT_COLUMNS)})
        finally:
            await opened.close()

    thread = threading.Thread(target=lambda: asyncio.run(read()))
    thread.start()
    thread.join()
    return found
