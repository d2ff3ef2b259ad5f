"""The tables of owners' themes: versions, the contents of their files, drafts, and what each store has published."""

from comanda.platform.db import OwnerRow, StoreRow
from tortoise import fields


class Theme(StoreRow):
    """A theme of one store. ``handle`` is what the store's ``template`` says while the theme is published."""

    name = fields.CharField(max_length=80)
    handle = fields.CharField(max_length=50)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "themes_theme"


class Version(OwnerRow):
    """One version of a theme, which never changes.

    ``files`` maps paths to hashes of contents. ``key`` identifies all files, ``assets_key`` those of assets/.
    """

    theme_id = fields.BigIntField()
    number = fields.IntField()
    key = fields.CharField(max_length=40)
    assets_key = fields.CharField(max_length=40)
    files: fields.Field[dict[str, str]] = fields.JSONField()
    size_bytes = fields.IntField()
    note = fields.CharField(max_length=200)
    findings: fields.Field[list[dict[str, object]]] = fields.JSONField()
    author_kind = fields.CharField(max_length=30)
    author_id = fields.BigIntField()
    created_at = fields.DatetimeField()
    published_at = fields.DatetimeField(null=True)

    class Meta:
        table = "themes_version"


class Content(OwnerRow):
    """The content of files, stored once for each owner."""

    hash = fields.CharField(max_length=64)
    content = fields.BinaryField()

    class Meta:
        table = "themes_content"


class Publication(StoreRow):
    """The version in which a store's pages are shown; a store without a row has the default theme."""

    version_id = fields.BigIntField()
    published_at = fields.DatetimeField()

    class Meta:
        table = "themes_publication"


class Draft(OwnerRow):
    """Settings of a theme that are being edited, on top of a version. ``revision`` counts its changes."""

    theme_id = fields.BigIntField()
    version_id = fields.BigIntField()
    settings_data = fields.TextField()
    revision = fields.IntField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "themes_draft"
