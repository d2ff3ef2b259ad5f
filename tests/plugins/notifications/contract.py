"""What stands in the paths and bodies of the notifications plugin's routes, for tests of every route."""

from comanda.contracts import API_PREFIX

TEXT = "/restaurants/{id}/message-templates/{name}/{channel}/{language}"
NAME, CHANNEL = "customers.code", "email"
BODY = {"subject": "Stolen", "text": "{code}"}


async def name(_workshop, _store_id):
    return NAME


async def channel(_workshop, _store_id, _name):
    return CHANNEL


async def language(workshop, store_id, *_):
    path = f"{API_PREFIX}/restaurants/{store_id}/message-templates/{NAME}/{CHANNEL}/pt"
    body = {"subject": workshop.marker, "text": "{code} " + workshop.marker}
    written = await workshop.client.put(path, headers=workshop.owner.auth, json=body)
    assert written.status_code == 200, await written.get_json()
    return "pt"


FACTORIES = {
    TEXT.rpartition("/{channel}")[0]: name,
    TEXT.rpartition("/{language}")[0]: channel,
    TEXT: language,
}
BODIES = {
    "TextBody": BODY,
    "OrderMessagesChange": {"messages": ["received"], "channels": ["email"]},
    "DeliveryReportBody": {"id": "msg_0c5f", "status": "failed", "error": "x"},
    "GuestReplyBody": {"from": "+351911111111", "text": "STOP", "id": "msg_0c5f"},
    "SmsLimitsBody": {"monthly_limit": 7, "quiet_from": "22:00", "quiet_until": "08:00"},
}
