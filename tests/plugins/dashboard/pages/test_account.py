"""The account of the person who is signed in."""


async def test_account_shows_person_and_limits(dashboard, owner):
    page = await dashboard.get("/account")

    assert owner.email in page
    assert "/account/security" in page
