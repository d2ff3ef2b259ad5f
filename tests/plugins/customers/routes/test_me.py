"""Routes of the logged-in customer."""

INVALID_CHANGES = [
    ({"email": "nobody"}, "email"), ({"phone": "12"}, "phone"), ({"birthday": "2999-01-01"}, "birthday"),
    ({"consents": {"all": True}}, "consents.all"), ({"name": ""}, "name"), ({"code": "x"}, "code"),
    ({"email": "eve@example.com", "name": "Eve"}, "email"), ({"phone": "+351912345678", "code": "000000"}, "code"),
]  # fmt: skip


async def test_invalid_profile_update_changes_nothing(ada, make_shopper, read_customers, subtests):
    await make_shopper().log_in_by_code(email="eve@example.com")
    before = await read_customers()

    for change, field in INVALID_CHANGES:
        with subtests.test(change=change, field=field):
            reply = await ada.send("PUT", "/me", change)

            assert list(reply.errors) == [field]
            assert await read_customers() == before


async def test_logout_revokes_one_device_only(ada, make_shopper):
    laptop = make_shopper()
    reply = await laptop.call_public("login", email=" ADA@example.com ", password="correct horse", device="laptop")

    assert (reply.status, reply["customer"]["id"]) == (200, ada.id)
    out = await laptop.send("POST", "/logout")
    assert (out.status, out.document) == (200, {"message": "You are logged out."})
    assert (await laptop.send("GET", "/me")).status == 401
    assert (await ada.send("GET", "/me")).status == 200
