"""Bodies of the routes of apprise, for the tests of all routes."""

BODIES = {"SmsServiceBody": {"url": "bulksms://stolen:secret@{to}"}}
