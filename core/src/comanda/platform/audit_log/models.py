"""Tables of the audit log."""

from tortoise import fields

from comanda.platform.db.orm.rows import OwnerRow


class AuditEntry(OwnerRow):
    """One write by a caller.

    Only ids are stored; names are looked up when entries are listed, so no personal data has to be erased here.
    ``outcome`` is ``ok`` or the error code; null until the request is answered, or permanently if the process died.
    """

    occurred_at = fields.DatetimeField()
    actor_kind = fields.CharField(max_length=20)
    actor_id = fields.BigIntField()
    token_id = fields.BigIntField()
    store_id = fields.BigIntField(null=True)
    action = fields.CharField(max_length=200)
    address = fields.CharField(max_length=64)
    request_id = fields.CharField(max_length=100)
    before_ids: fields.Field[dict[str, int]] = fields.JSONField()
    after_ids: fields.Field[dict[str, int] | None] = fields.JSONField(null=True)
    outcome = fields.CharField(max_length=100, null=True)

    class Meta:
        table = "core_audit_entry"
