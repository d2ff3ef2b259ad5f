"""Photos, their files if PostgreSQL stores them, and the pictures in item galleries."""

from tortoise import fields
from tortoise.models import Model

from comanda.platform.db.orm.rows import OwnerRow, StoreRow


class Photo(OwnerRow):
    """An uploaded photo of an owner, identified by the hash of its re-encoded content.

    ``sizes`` are ``{width, height}``, smallest first. It can be shown and used while ``is_stored``. ``unused_since`` is
    set while it is in no gallery; an unused photo is deleted after a while.
    """

    hash = fields.CharField(max_length=64)
    sizes: fields.Field[list[dict[str, int]]] = fields.JSONField()
    is_stored = fields.BooleanField(default=False)
    unused_since = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_photo"


class PhotoFile(Model):
    """A photo's file, if photos are stored in the database."""

    name = fields.CharField(max_length=100, primary_key=True)
    owner_id = fields.BigIntField()
    content = fields.BinaryField()

    class Meta:
        table = "core_photo_file"


class GalleryPicture(StoreRow):
    """A picture in an item's gallery: an uploaded photo or an external URL."""

    item_id = fields.BigIntField()
    position = fields.IntField(default=0)
    alt = fields.CharField(max_length=500, null=True)
    url = fields.CharField(max_length=1000, null=True)
    photo_id = fields.BigIntField(null=True)

    class Meta:
        table = "core_gallery_picture"
