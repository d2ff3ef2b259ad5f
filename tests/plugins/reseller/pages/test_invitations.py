"""The page on which the owner of a new account sets its password."""

import re

from comanda.accounts.owner_login import is_owner_password


async def create(reseller, number, **fields):
    body = {"email": f"rosa-{reseller.owner.id}-{number}@tasca.example", "name": "Tasca da Rosa", **fields}
    return await reseller.post("/customers", body)


async def test_create_invites_by_mail_and_the_link_sets_the_password(reseller, client, sent_messages):
    made = await create(reseller, 1)
    assert (made["name"], made["status"], made["accepted_at"]) == ("Tasca da Rosa", "active", None)
    message = (await sent_messages())[-1]
    assert message.to == made["email"]
    path = re.search(r"/reseller/invitations/\S+", message.text)[0]

    page = await client.get(path)
    assert page.status_code == 200
    weak = await client.post(path, form={"password": "short"})
    assert weak.status_code == 422
    assert not await is_owner_password(made["id"], "short")
    done = await client.post(path, form={"password": "correct horse battery"})

    assert (done.status_code, done.headers["Location"]) == (303, "/sign-in")
    assert await is_owner_password(made["id"], "correct horse battery")
    assert (await reseller.get(f"/customers/{made['id']}"))["accepted_at"] == "2030-01-31T09:00:00+00:00"
    again = await client.post(path, form={"password": "another long password"})
    assert again.status_code == 404
    assert await is_owner_password(made["id"], "correct horse battery")


async def test_new_invitation_replaces_the_one_before(reseller, client, clock, sent_messages):
    made = await create(reseller, 2)
    await reseller.post(f"/customers/{made['id']}/invite")
    old, new = (re.search(r"/reseller/invitations/\S+", message.text)[0] for message in (await sent_messages())[-2:])

    assert (await client.get(old)).status_code == 404
    assert (await client.get(new)).status_code == 200
    clock.advance(days=8)
    assert (await client.get(new)).status_code == 404


async def test_unknown_link_is_404(client, app):
    for secret in ("x", "x" * 5000):
        assert (await client.get(f"/reseller/invitations/{secret}")).status_code == 404


async def test_link_of_a_suspended_account_is_404(reseller, client, sent_messages):
    made = await create(reseller, 3)
    path = re.search(r"/reseller/invitations/\S+", (await sent_messages())[-1].text)[0]
    await reseller.post(f"/customers/{made['id']}/suspend", {"reason": "Typo in the address."})

    assert (await client.post(path, form={"password": "correct horse battery"})).status_code == 404
    assert not await is_owner_password(made["id"], "correct horse battery")
