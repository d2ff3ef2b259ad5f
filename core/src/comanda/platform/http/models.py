"""Tables of requests."""

from tortoise import fields

from comanda.platform.db.orm.rows import OwnerRow


class StoredAnswer(OwnerRow):
    """The answer to a creating request that had an idempotency key, for repeats of the request.

    ``request_hash`` is of the route, its path and the key. ``answer`` is JSON, encrypted because it may contain new
    credentials; it is null until the transaction that creates has its answer, so never for others.
    """

    actor = fields.CharField(max_length=50)
    request_hash = fields.BinaryField()
    body_hash = fields.BinaryField()
    status = fields.IntField(null=True)
    answer = fields.TextField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_stored_answer"
