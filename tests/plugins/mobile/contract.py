"""What stands in the paths and bodies of the mobile plugin, for tests of every route."""

from itertools import count

from comanda.accounts import owner_login

PASSWORD = "lemon tart at dawn"
_numbers = count(1)


async def login_body(workshop, *_):
    await owner_login.set_owner_password(workshop.owner.id, PASSWORD)
    return {"email": workshop.owner.email, "password": PASSWORD, "device": "x"}


async def handoff(workshop, *_):
    response = await workshop.client.post("/api/v1/app/session", headers=workshop.owner.auth, json={"path": "/"})
    return (await response.get_json())["handoff_url"].rpartition("/")[2]


async def platform(_workshop):
    return "ios"


FACTORIES = {"/app/handoff/{nonce}": handoff, "/app/path-configuration/{platform}": platform}
DEVICE = {"platform": "ios", "token": "f3a1c0de9b", "app_version": "1.4.0", "locale": "pt"}
BODIES = {
    "AppLoginBody": login_body,
    "SessionBody": {"path": "/app/home", "user_agent": "x"},
    "DeviceBody": DEVICE,
    "DeviceTokenBody": {"token": DEVICE["token"]},
}
