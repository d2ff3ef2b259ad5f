"""The SMS service in the dashboard."""

import re

URL = "bulksms://token:secret@{to}"
PAGE = "/sms-service"


async def test_service_is_connected_and_disconnected(dashboard):
    await dashboard.post(PAGE, {"url": URL})
    connected = await dashboard.get(PAGE)
    [action] = re.findall(r'action="/dashboard([^"]+/delete)"', connected)

    await dashboard.post(action, {})

    assert "BulkSMS" in connected
    assert URL not in connected
    assert "/delete" not in await dashboard.get(PAGE)
