"""One-time addresses that hand a signed-in app's session over to its web view."""

from comanda.platform.db import OwnerRow
from tortoise import fields


class Handoff(OwnerRow):
    """An address that works once, within a minute, in the web view that it was made for.

    It opens a web session for the person behind the access token ``token_id`` and leads to ``path``. Nonce and user
    agent are stored as hashes; ``wrong_agents`` counts attempts of other user agents.
    """

    token_id = fields.BigIntField()
    nonce_hash = fields.BinaryField()
    agent_hash = fields.BinaryField()
    path = fields.CharField(max_length=2000)
    wrong_agents = fields.SmallIntField(default=0)
    expires_at = fields.DatetimeField()
    created_at = fields.DatetimeField()

    class Meta:
        table = "mobile_handoff"
