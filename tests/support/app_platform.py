"""An installation with a database of its own, for tests that kill the processes which charge for apps."""

import asyncio
import json
from urllib.parse import urlsplit, urlunsplit

import asyncpg
from comanda.devkit.testing.processes import Installation

# What scripts that prepare an installation begin with.
PREPARATION = """
import asyncio, json, sys
from datetime import timedelta
from decimal import Decimal
from comanda.platform import runtime
from comanda.accounts.services import create_owner, issue_owner_token
from comanda.cli.session import call
from comanda.contracts.requests.callers import Caller
from comanda_marketplace.models import Billing
from comanda_marketplace.schemas import AppBody
from comanda_marketplace.services.apps import app_rows, apps
from comanda_marketplace.services.billing import terms
from comanda_marketplace.services.listings import review
from comanda_oauth import api as oauth
from comanda_wallet import api as wallet
from comanda_wallet.services.wallets import set_credit_limit

async def publish(developer_id, name, billing, price, **fields):
    caller = Caller("owner", 0, developer_id, None, None, frozenset({"*"}), None)
    body = AppBody(
        name=name, scopes=["menu:read"], redirect_uris=["https://apps.example.com/callback"],
        billing=billing, price=Decimal(price), **fields)
    app_id = (await apps.register_app(caller, body)).id
    await review.submit(caller, app_id)
    await review.approve(app_id)
    return await app_rows.find_row(app_id)

async def install(owner_id, app):
    installation = await oauth.install(owner_id, app.client_row_id, app.scopes, actor="test")
    await terms.ensure_terms(installation)
    return installation.id

async def issue_token(owner_id):
    return (await issue_owner_token(runtime.registry().caller_kinds["owner"], owner_id, ["*"], name="test")).secret
"""
UNBALANCED_ENTRIES = """
    SELECT e.id FROM wallet_entry e JOIN wallet_leg l ON l.entry_id = e.id AND l.owner_id = e.owner_id
    GROUP BY e.id HAVING sum(l.amount_minor) <> 0
"""


class AppPlatform:
    """A data folder and a PostgreSQL database, which outlives every process of the installation."""

    def __init__(self, data, database_url, **variables):
        self.database_url = database_url
        self.installation = Installation(data, {"DATABASE_URL": database_url, **variables})

    def prepare(self, script):
        """Run a script after ``PREPARATION`` and return the document that it prints."""
        return json.loads(self.installation.run_program(PREPARATION + script))

    def fetch(self, statement, *values):
        """Return the rows of a statement as tuples."""

        async def connected():
            connection = await asyncpg.connect(self.database_url)
            try:
                return [tuple(row) for row in await connection.fetch(statement, *values)]
            finally:
                await connection.close()

        return asyncio.run(connected())

    def copy_database(self, source):
        """Replace this installation's database with a copy of another one's."""
        own, other = (urlsplit(each.database_url) for each in (self, source))

        async def copy():
            connection = await asyncpg.connect(urlunsplit(own._replace(path="/postgres")))
            try:
                await connection.execute(f'DROP DATABASE "{own.path[1:]}"')
                await connection.execute(f'CREATE DATABASE "{own.path[1:]}" TEMPLATE "{other.path[1:]}"')
            finally:
                await connection.close()

        asyncio.run(copy())

    def verify_ledger(self):
        """Assert that ``comanda wallet verify`` finds nothing wrong, and that the legs of every entry sum to zero."""
        verified = self.installation.run("wallet", "verify")
        assert verified.returncode == 0, verified.stdout + verified.stderr
        assert self.fetch(UNBALANCED_ENTRIES) == []
