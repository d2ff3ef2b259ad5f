"""Pages and their forms answer hostile values with a refusal, and never with a server error."""

import json

import aiohttp
import pytest
from comanda.devkit.testing import Installation, create_migrated_data_folder
from site_visitor import SiteVisitor

# Nobody is kept from the next form by a limit.
UNLIMITED = {"COMANDA_REQUESTS_PER_MINUTE": "1000000", "COMANDA_DEVELOPMENT": "true"}
# Where nobody answers, as forms of connections ask there.
CLOSED = "http://127.0.0.1:9"
AWAY = {"COMANDA_DELIVERECT_URL": CLOSED, "COMANDA_HUBRISE_URL": CLOSED}


@pytest.fixture(scope="module")
def installation():
    return Installation(create_migrated_data_folder(), UNLIMITED | AWAY)


@pytest.fixture(scope="module")
def demo(installation):
    return json.loads(installation.run("demo", "--json").stdout)


@pytest.fixture(scope="module")
def server(installation, demo):
    with installation.running("serve") as server:
        yield server


@pytest.mark.parametrize(
    ("person", "pages", "forms"), [("owner", 100, 60), ("developer", 25, 12), ("reseller", 30, 15)]
)
async def test_forms_of_the_dashboard(server, demo, person, pages, forms):
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        visitor = SiteVisitor(session, server.url, seed=person)
        await visitor.sign_in(demo["logins"][person])
        await visitor.visit("/dashboard", "/account")

    assert visitor.faults == []
    assert len(visitor.pages) >= pages, visitor.pages
    assert len(visitor.forms) >= forms, visitor.forms


async def test_forms_of_guests(server, demo):
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        visitor = SiteVisitor(session, server.url, seed="guest")
        await visitor.visit("/", *(store["page"] for store in demo["stores"]))

    assert visitor.faults == []
    assert len(visitor.pages) >= 15, visitor.pages
    assert visitor.forms >= {"/language", "/sign-in"}
