"""Say what happens to rows when the row of core that they refer to is deleted: it is not."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Replace the foreign keys by ones that refuse the deletion at once."""
    return """
        ALTER TABLE goods_brand DROP CONSTRAINT goods_brand_store_id_owner_id_fkey,
            ADD CONSTRAINT goods_brand_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore foreign keys that say nothing."""
    return """
        ALTER TABLE goods_brand DROP CONSTRAINT goods_brand_store_id_owner_id_fkey,
            ADD CONSTRAINT goods_brand_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
    """


MODELS_STATE = (
    "eJztl19P2zAQwL+K1adN6lAX1pVtT4DYVmm0Euv2MibXSdzEqmOH2FGpEN99d05DQgOFMB"
    "Ab6lOS++/fObLvohNpHZqdg4yp8FiHXHY+kouOYgmHl6aySzosTa9U+G2ZLytj6qOxs/ON"
    "zVhgQTVj0nAQhdwEmUit0Aod9okzJjZmlgjLE0P0jDBirM44wRq6RGelGpQLxTOyyLTlJI"
    "SPHUwT6gDyCBU9SsRTdaqmUzSkc76cTokwZIHWCZtzQ+xCE5NyKSEfeCte5NshY3gtohqi"
    "tCXTqTAQIbVFCBtzyO/zgOWGrwrDJPDaJRDgVCnt63BJDIcswkLoAOrFBKHmxi00V+Is59"
    "TqiGM4WO6v3yAWKuTn3JSf6ZzOBJfhtTYK1xAnp3aZOtmBiIbKfna2iNGngZZ5oir7dGlj"
    "ra4chLIojTggY5ZjBpvl2FaVS7naBGWni2Irk6LKmk/IZyyXuDnQuyigknUoHY0n9PvRhN"
    "JOY+OUHrXOr0SBVrjpoFTjAERYwpsPnre7O/B6u+/3+u8Gg/5ebw9sXb1N1eCyKKaiVYRy"
    "zIZfhqMJFqRhZxe7HgWXzodZVni5ZlT03SajbXtQ97q7EyX3Ta0oBVUvqv/yhTWjgu/+/N"
    "bw615b+A+G754N8Icxy27GXtqvIYeF/I/IE3ZOJVeRjeHT6/c34Py5f3L4df/kFVi9vg51"
    "tFJ5ha7JF8+ptoxLny3n+3E2Mo/aMC7tXyDft73ePfiC1a18ne46X6kjTfNMtmFc93kQ59"
    "VF5J/FfE/OG0E3SK9upTechlpLztQt98HKaw21D25PtaevJE9Ae9PRNh5/w8iJMWeyOOvW"
    "DrrRj+ODI4DvyIMR3Oer8w8v4bN57SKIAp8F8wXLQtrQaE/fZttUJV6yLmGKRY4frhNXVY"
    "xsQxgx3NjWaY5zla575zSHo0qbkW4S8/oIxpQbdtysYz7hYBPBOEMWwsY4Ezllc4p7aJC/"
    "mZBwna3HpMrpcS6J22FpOyw9533d/XSt4de9tvBbwX/Ww+LyDyBbUVw="
)
