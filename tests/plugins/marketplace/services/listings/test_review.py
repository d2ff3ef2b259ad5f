"""The review of apps: every move between states, allowed or refused, and what it means for installing."""

import pytest
from comanda.basics import ComandaError, Conflict, NotFound, ValidationFailed
from comanda_marketplace.models import App, AppStatus
from comanda_marketplace.services.listings import review
from comanda_oauth import api as oauth

STATUSES = list(AppStatus)
MOVES = {
    "submit": ({"draft", "rejected", "delisted"}, "submitted"),
    "withdraw": ({"draft", "submitted", "in_review", "approved"}, "draft"),
    "start_review": ({"submitted"}, "in_review"),
    "approve": ({"submitted", "in_review"}, "approved"),
    "reject": ({"submitted", "in_review"}, "rejected"),
    "delist": ({"approved", "submitted", "in_review"}, "delisted"),
}


@pytest.fixture
def put_in(developer):
    """Register an app and put it into a state."""

    async def put(status):
        app = await developer.register()
        row = await App.get(id=app["id"], owner_id=developer.owner.id)
        row.update_from_dict({"status": status, "rejection_reason": "No." if status == "rejected" else None})
        await row.save()
        return app

    return put


@pytest.fixture
def move(developer):
    async def run(name, app_id):
        if name in {"submit", "withdraw"}:
            return await getattr(review, name)(developer.owner.caller, app_id)
        return await getattr(review, name)(app_id, *(["Too slow."] if name == "reject" else []))

    return run


@pytest.mark.parametrize("name", MOVES)
async def test_each_move_is_possible_from_its_states_only(put_in, move, developer, read_app, subtests, name):
    allowed, target = MOVES[name]

    for status in STATUSES:
        with subtests.test(status=status.value):
            app = await put_in(status.value)
            if status.value in allowed:
                assert (await move(name, app["id"])).status.value == target
                client = await oauth.get_client(developer.owner.id, (await read_app(app))["client_row_id"])
                assert (client.audience.value == "everyone") is (target == "approved")
            else:
                with pytest.raises(Conflict) as refused:
                    await move(name, app["id"])
                assert refused.value.extras == {"reason": "wrong_status"}
                assert (await read_app(app))["status"] == status.value


async def test_rejection_shows_the_reason_until_the_next_submission(developer, sent_messages):
    app = await developer.register(contact_email="dev@example.com")
    await developer.send("POST", f"/developer/apps/{app['id']}/submit")

    await review.reject(app["id"], "The description is empty.")

    assert (await developer.get(app))["rejection_reason"] == "The description is empty."
    [mail] = [one for one in await sent_messages() if one.to == "dev@example.com"]
    assert "The description is empty." in mail.text
    again = await developer.send("POST", f"/developer/apps/{app['id']}/submit")
    assert (again["status"], again["rejection_reason"]) == ("submitted", None)


async def test_unknown_app_and_unknown_feature_are_refused(developer, read_app):
    with pytest.raises(NotFound):
        await review.approve(2**52)
    app = await developer.register()
    await developer.send("POST", f"/developer/apps/{app['id']}/submit")

    with pytest.raises(ValidationFailed):
        await review.approve(app["id"], ["free_beer"])

    assert (await read_app(app))["status"] == "submitted"


@pytest.mark.parametrize(
    "change",
    [
        {"scopes": ["orders:read", "orders:write"]},
        {"billing": "usage", "price": 0.05},
        {"billing": "recurring", "price": 9.9},
    ],
)
async def test_new_price_or_scopes_send_a_listed_app_to_review(developer, read_app, change):
    app = await developer.publish()

    reply = await developer.send("PATCH", f"/developer/apps/{app['id']}", change)

    assert reply["status"] == "in_review"
    client = await oauth.get_client(developer.owner.id, (await read_app(app))["client_row_id"])
    assert client.audience is oauth.Audience.DEVELOPER


async def test_texts_are_published_at_once(developer, customer):
    app = await developer.publish()
    texts = {"tagline": "Stamps", "description": "Long.", "links": {"support": "https://a.example.com/help"}}

    reply = await developer.send("PATCH", f"/developer/apps/{app['id']}", {**texts, "scopes": app["scopes"]})

    assert reply["status"] == "approved"
    listed = await customer.send("GET", f"/apps/{app['id']}")
    assert {name: listed[name] for name in texts} == texts


async def test_unapproved_app_is_installed_by_its_developer_alone(developer, install, owner):
    app = await developer.register()

    with pytest.raises(ComandaError):
        await install(app, of=owner)

    assert await oauth.count_installations((await App.get(id=app["id"])).client_row_id) == 0
    assert (await install(app, of=developer.owner)).id


async def test_delisted_app_keeps_its_installations_and_gets_no_new_ones(developer, install, owner, other_owner):
    app = await developer.publish(billing="usage", price=1)
    installed = await install(app, of=owner)

    await review.delist(app["id"])

    with pytest.raises(ComandaError):
        await install(app, of=other_owner)
    assert (await installed.report(quantity="1")).status == 402


async def test_new_scopes_are_granted_only_after_the_review(developer, install, owner):
    app = await developer.publish(scopes=["menu:read"])
    installed = await install(app)
    await developer.send("PATCH", f"/developer/apps/{app['id']}", {"scopes": ["menu:read", "orders:read"]})

    with pytest.raises(ComandaError):
        await install(app, scopes=["menu:read", "orders:read"])

    assert (await oauth.find_installation(owner.id, installed.id)).scopes == ("menu:read",)
    await review.approve(app["id"])
    assert (await install(app)).id == installed.id
    assert set((await oauth.find_installation(owner.id, installed.id)).scopes) == {"menu:read", "orders:read"}
