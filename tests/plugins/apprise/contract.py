"""What stands in the paths and bodies of the routes of apprise, for the tests of all routes."""


async def owner_id(workshop):
    return workshop.owner.id


async def message_id(*_):
    return "msg_0c5f"


REPORTS = "/sms-service/{ownerId}/twilio/reports/{messageId}"
FACTORIES = {"/sms-service/{ownerId}": owner_id, REPORTS: message_id}
BODIES = {"SmsServiceBody": {"url": "bulksms://stolen:secret@{to}"}}
