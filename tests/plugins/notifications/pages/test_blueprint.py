"""The outbox page."""

import pytest


@pytest.fixture
def get_outbox(client):
    async def show(query=""):
        response = await client.get(f"/outbox/{query}")
        assert response.status_code == 200
        return response, await response.get_data(as_text=True)

    return show


async def test_outbox_shows_messages_newest_first(send, senders, get_outbox):
    await send(to="+351911000001", text="The first.")
    await send(to="+351911000002", text="Your code is 834112.", secret=True)
    await senders["sms"].process_all_due()

    # The page shows the latest of all owners: others may have sent many, and later ones on a clock that they advanced.
    response, page = await get_outbox("?to=35191100000")

    assert page.index("Your code is 834112.") < page.index("The first.")
    assert '<span class="badge good">sent</span>' in page
    assert response.headers["Cache-Control"] == "no-store"


async def test_outbox_refreshes_only_on_request(get_outbox):
    _, still = await get_outbox("?to=ana")
    _, renewed = await get_outbox("?to=ana&refresh=on")

    assert "http-equiv" not in still
    assert 'href="/outbox/?to=ana&amp;refresh=on"' in still
    assert '<meta http-equiv="refresh" content="5">' in renewed
    assert 'href="/outbox/?to=ana"' in renewed


async def test_outbox_is_filtered_by_address(send, get_outbox):
    await send("email", "Ana.Filter@example.com", "For Ana.")
    await send("email", "bea@example.com", "For Bea.")

    _, page = await get_outbox("?to=ana.filter")

    assert "For Ana." in page
    assert "For Bea." not in page
    assert "http-equiv" not in page
    assert 'value="ana.filter"' in page


@pytest.mark.parametrize(
    "query", ["?to=%25", "?to=%00", "?to=%ff", f"?to={'x' * 5000}", "?to=_&refresh=on", "?limit=x"]
)
async def test_outbox_accepts_any_query(get_outbox, query):
    await get_outbox(query)


async def test_filter_is_matched_literally(get_outbox):
    _, page = await get_outbox("?to=%25")

    assert "No messages to this address." in page


async def test_message_text_is_escaped(send, get_outbox):
    await send("email", "eve@example.com", "<script>alert(1)</script>", subject="<b>Hi</b>")

    _, page = await get_outbox("?to=eve@example.com")

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<b>Hi</b>" not in page


async def test_outbox_returns_404_in_production(send, client, production):
    await send(text="Your code is 834112.", secret=True)

    response = await client.get("/outbox/")

    assert response.status_code == 404
    assert "834112" not in await response.get_data(as_text=True)
