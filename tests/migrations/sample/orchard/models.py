"""The sample app's tables."""

from tortoise import fields
from tortoise.models import Model


class Tree(Model):
    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    variety = fields.CharField(max_length=60)
    is_grafted = fields.BooleanField(db_default=False)
    rows_planted = fields.IntField(db_default=1)
    planted_at = fields.DatetimeField(null=True)

    class Meta:
        table = "orchard_tree"


class Picking(Model):
    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    tree: fields.ForeignKeyRelation[Tree] = fields.ForeignKeyField("orchard.Tree", db_constraint=False)
    weight_g = fields.IntField()

    class Meta:
        table = "orchard_picking"
