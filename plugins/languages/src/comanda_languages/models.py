"""The table of texts in other languages."""

from comanda.platform.db import StoreRow
from tortoise import fields


class MenuText(StoreRow):
    """What a ``source``, a text on a store's menu, is in a language, wherever on the menu it stands.

    It is not tied to an item: an extra that twenty items have is translated once, and a name that its owner changes has
    no text until there is one for it. A text that is not ``is_checked`` was made by a program.
    """

    language = fields.CharField(max_length=10)
    source = fields.TextField()
    text = fields.TextField()
    is_checked = fields.BooleanField(default=True)

    class Meta:
        table = "languages_text"
