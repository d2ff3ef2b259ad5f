"""The outbox of development: its page and its command."""

import json

import pytest
from comanda.devkit.testing.processes import Installation
from comanda_notifications import services


@pytest.fixture
def shown(client):
    async def show(query=""):
        response = await client.get(f"/outbox/{query}")
        assert response.status_code == 200
        return response, await response.get_data(as_text=True)

    return show


async def test_the_page_shows_messages_newest_first_codes_included(send, senders, shown):
    await send(to="+351911000001", text="The first.")
    await send(to="+351911000002", text="Your code is 834112.", secret=True)
    await senders["sms"].work_off()

    response, page = await shown()

    assert page.index("Your code is 834112.") < page.index("The first.")
    assert '<span class="badge good">sent</span>' in page
    assert response.headers["Cache-Control"] == "no-store"


async def test_it_stands_still_until_somebody_switches_that(shown):
    _, still = await shown("?to=ana")
    _, renewed = await shown("?to=ana&refresh=on")

    assert "http-equiv" not in still
    assert 'href="/outbox/?to=ana&amp;refresh=on"' in still
    assert '<meta http-equiv="refresh" content="5">' in renewed
    assert 'href="/outbox/?to=ana"' in renewed


async def test_it_can_be_filtered_by_address(send, shown):
    await send("email", "Ana.Filter@example.com", "For Ana.")
    await send("email", "bea@example.com", "For Bea.")

    _, page = await shown("?to=ana.filter")

    assert "For Ana." in page
    assert "For Bea." not in page
    assert "http-equiv" not in page
    assert 'value="ana.filter"' in page


@pytest.mark.parametrize(
    "query", ["?to=%25", "?to=%00", "?to=%ff", f"?to={'x' * 5000}", "?to=_&refresh=on", "?limit=x"]
)
async def test_whatever_is_asked_for_is_answered(shown, query):
    await shown(query)


async def test_a_filter_is_no_pattern(shown):
    _, page = await shown("?to=%25")

    assert "No message went to such an address." in page


async def test_what_a_message_says_is_no_markup(send, shown):
    await send("email", "eve@example.com", "<script>alert(1)</script>", subject="<b>Hi</b>")

    _, page = await shown("?to=eve@example.com")

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<b>Hi</b>" not in page


async def test_in_production_there_is_no_outbox(send, client, production):
    await send(text="Your code is 834112.", secret=True)

    response = await client.get("/outbox/")

    assert response.status_code == 404
    assert "834112" not in await response.get_data(as_text=True)


async def test_at_most_so_many_are_listed(send):
    for _ in range(3):
        await send(to="+351977777777")

    assert len(await services.shown("+351977777777", 2)) == 2


def test_the_command_speaks_in_development_only(app, settings):
    installation = Installation(settings.data, {"DATABASE_URL": settings.database_url})

    refused = installation.run("outbox", COMANDA_DEVELOPMENT="0")
    listed = installation.run("outbox", "--to", "nobody@nowhere", "--json", COMANDA_DEVELOPMENT="1")

    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == "Error: Messages can be read in development mode only; set COMANDA_DEVELOPMENT=1 for it.\n"
    assert (listed.returncode, json.loads(listed.stdout)) == (0, [])


async def test_the_command_prints_messages_for_people_and_for_programs(send, settings):
    await send("email", "carla@example.com", "Line one\nline two", subject="Hello")
    installation = Installation(settings.data, {"DATABASE_URL": settings.database_url, "COMANDA_DEVELOPMENT": "1"})

    for_people = installation.run("outbox", "--to", "CARLA@")
    for_programs = installation.run("outbox", "--to", "CARLA@", "--json")

    [message] = json.loads(for_programs.stdout)
    assert (message["address"], message["text"], message["status"]) == (
        "carla@example.com",
        "Line one\nline two",
        "pending",
    )
    head, *text = for_people.stdout.splitlines()
    assert head.split()[1:] == ["email", "carla@example.com", "pending"]
    assert text == ["    Hello: Line one", "    line two"]
