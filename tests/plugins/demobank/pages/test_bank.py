"""The page that plays the bank."""


async def test_page_asks_what_the_bank_says(read, payment, provider_fake):
    status, page = await read(payment["redirect_url"])
    assert status == 200
    assert "€10.00" in page
    assert "no money moves" in page

    confirm = await provider_fake.answer(payment["redirect_url"], "confirm")
    assert confirm.endswith("?step=confirm")
    assert "3-D Secure" in (await read(confirm))[1]
    assert await provider_fake.list_collected() == []

    assert await provider_fake.answer(payment["redirect_url"], "pay") == "https://a.example/b"
    assert "This payment is finished." in (await read(payment["redirect_url"]))[1]
    assert await provider_fake.answer(payment["redirect_url"], "decline") == "https://a.example/b"
    assert await provider_fake.list_collected() == [1000]


async def test_abandoned_page_stays_open(read, payment, provider_fake):
    assert await provider_fake.answer(payment["redirect_url"], "abandon") == "https://a.example/b"

    assert "Decline" in (await read(payment["redirect_url"]))[1]
