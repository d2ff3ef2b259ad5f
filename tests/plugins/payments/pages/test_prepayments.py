"""Prepayments in the dashboard."""

from comanda.devkit.testing.payment_providers import reconcile


async def test_list_is_filtered_and_leads_to_each_prepayment(payer, new_deposit, paid_deposit, selling, dashboard):
    base = f"/stores/{payer.store.id}/prepayments"
    assert "No prepayments yet" in await dashboard.get(base)
    paid = await paid_deposit()
    await new_deposit(1000)
    await payer.buy(50, "eva@example.com")

    everything, deposits = await dashboard.get(base), await dashboard.get(f"{base}?kind=deposit&status=paid")

    assert all(text in everything for text in ("Ana Silva", "eva@example.com", "€40.00", "€10.00", "€50.00"))
    assert "€40.00" in deposits
    assert "€10.00" not in deposits
    assert "No prepayments found" in await dashboard.get(f"{base}?kind=gift_card&status=kept")
    assert f"/stores/{payer.store.id}/reservations/1" in await dashboard.get(f"{base}/{paid['id']}")


async def test_part_of_a_deposit_is_refunded_and_the_rest_kept(payer, paid_deposit, dashboard, clock):
    path = f"/stores/{payer.store.id}/prepayments/{(await paid_deposit(4000))['id']}"

    refused = await dashboard.post(f"{path}/refund", {"amount": "41", "reason": "x"}, status=422)
    assert "at most 40.00 EUR" in refused
    assert await dashboard.post(f"{path}/refund", {"amount": "15", "reason": "One guest less"}) == path
    await reconcile(clock)
    await dashboard.post(f"{path}/keep", {})

    [deposit] = await payer.list()
    assert (deposit["status"], deposit["paid"], deposit["refunded"]) == ("kept", 40, 15)
    assert list(await payer.bank.list_refunded()) == [1500]
