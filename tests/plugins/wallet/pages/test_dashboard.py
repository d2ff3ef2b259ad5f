"""The wallet in the dashboard."""

from comanda.devkit.testing import sign_in


async def test_the_wallet_shows_balance_and_entries_by_kind(dashboard, wallet):
    await wallet.top_up(5000)
    await wallet.charge(1234)

    page = await dashboard.get("/wallet")
    top_ups = await dashboard.get("/wallet?kind=top_up&since=2020-01-01&until=nonsense")
    later = await dashboard.get("/wallet?since=2999-01-01")

    assert "37.66" in page
    assert "Calls" in page
    assert "12.34" not in top_ups.split('id="entries"')[1]
    assert "Nothing of this kind" in later


async def test_a_warning_is_set_and_removed(dashboard, wallet):
    await wallet.top_up(500)

    await dashboard.post("/wallet", {"low_balance": "10"})
    warned = await dashboard.get("/wallet")
    await dashboard.post("/wallet", {"low_balance": ""})
    page = await dashboard.get("/wallet")

    assert 'value="10' in warned
    assert "below the amount" in warned
    assert "below the amount" not in page


async def test_a_wrong_warning_is_named_beside_its_field(dashboard, wallet):
    page = await dashboard.post("/wallet", {"low_balance": "much"}, status=422)

    assert 'value="much"' in page
    assert 'aria-invalid="true"' in page


async def test_developers_see_their_shares_and_others_no_link(app, dashboard, wallet, other_owner):
    await wallet.top_up(5000)
    await wallet.charge(1000, payee=other_owner, share=700)
    developer = await sign_in(app, other_owner.id)

    earnings = await developer.get("/wallet/earnings")
    theirs = await dashboard.get("/wallet/earnings")

    assert "7.00" in earnings
    assert 'href="/dashboard/wallet/earnings"' in earnings
    assert 'href="/dashboard/wallet/earnings"' not in theirs
    assert "Nothing earned yet" in theirs
