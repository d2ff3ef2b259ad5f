"""Say what happens to rows when the row of core that they refer to is deleted: it is not."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Replace the foreign keys by ones that refuse the deletion at once."""
    return """
        ALTER TABLE storefront_cart DROP CONSTRAINT storefront_cart_order_id_owner_id_fkey,
            ADD CONSTRAINT storefront_cart_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE storefront_cart DROP CONSTRAINT storefront_cart_store_id_owner_id_fkey,
            ADD CONSTRAINT storefront_cart_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore foreign keys that say nothing."""
    return """
        ALTER TABLE storefront_cart DROP CONSTRAINT storefront_cart_order_id_owner_id_fkey,
            ADD CONSTRAINT storefront_cart_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE storefront_cart DROP CONSTRAINT storefront_cart_store_id_owner_id_fkey,
            ADD CONSTRAINT storefront_cart_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
    """


MODELS_STATE = (
    "eJztWG1v2zYQ/iuEPqVAZ6RyGmcvGGCnXuuhsYdE2NquA01TlERYIlWSqmN0+e8jKcuWKN"
    "urg7WLg36T7u6hTs9z5JH85EnFBYkEZ6pziYTyfgCfPIYyoh9avqfAQ3ne9BijQrPUAUBc"
    "AWZSCYTNwBFKJdGmkEgsaK4oZwbUBya2A6ZTqkgmp1OABAEpZUQCJIFKyBIsiDYhOSchiL"
    "j4ESwSpEoP5lIBKsGCC+PlhQLaRRBOQMr5vGNyCDnWSVAWf/nPvWfv2XT6kQip/06PHQu+"
    "0NFUJWUQThCLCeBROaYeiTJAbTpchERAGmoUNXlotw7TXwXWo6PAjGAtzVNAI/OWIGl/r2"
    "D0Q0Gg4jHR0UL/5J9/aTNlIbklsnrN5zCiJA0bCtPQDGDtUC1zaxvQeMTULzbWkDeDmKdF"
    "xjbx+VIlnK0BtKyCmDAikCLmC0oURmlWpOmqNirxy2Q3IWWWNUxIIlSkpl4MukxgY/MgHE"
    "8CeDMMIPRatVQhanqvTJgzU4c6VWkJiE0K333v+91uzz/tnl88P+v1nl+cXuhYm2/b1bsr"
    "k9mwVQ5lORu9HI0DkxDXxV5OBmO4sxikUImyYmzY5wtmFT9Mgzrq35WoeN8nRWXYaLGZqo"
    "9MDGdxO5j8Ouob+fcmX6+CYUqgXsGSbfwzJJbb+XeAjgSzpdKpHJ8I+/h8PRmYkTMpP6TG"
    "8Hv/ejAa96/fnlz13zyxruXK9XoyflnF57pRxcIO5A3eBsO+o4ClrEX9ZYLEduKreIdx/R"
    "dHyLeXoVuYEharRL92T/fwr+m+fNW/PumePmkW9Xjl8a2rSa7dWbTZ/fVmMt7RVyuAQ29I"
    "sQJ/692JPMa1ZQ+thopGWVd0rqu6xvTllpo2AwzcmjY8QFZkMyIOqm0Hd68aX21fHgr3zR"
    "L3P6fE/d0l7rdKXOKEhEVKQqh3yG2yX2iiFM3Iji7qgt2yX6E71cPx8b+H72B0NbwJ+le/"
    "NSbAi34wNB6/saRX1pNzR5v1IOCPUfAKmFfwbjIeuvNkHRe880xOqFAcMr6AKKxzUpkrU0"
    "NrxtWWXhGQ2x2bpCr+McyjfToO3wT717BGZ67C3YWtOa8wL3LNGebhQe3ZgT0G5p0m7X9O"
    "k/Z3N2nfXcFCohBND2rTNcjXb9TeT1HBsGERzAqaKspkx3z2Z++RtO/VrUlbkJ2nsRri6x"
    "3Gnn2pei9PYv6zs97ZRff8bH0AW1v2nbvaZ6zqPunA24Ua6l6cPrRV5H8532JBDEMQqUO3"
    "Rk3kf7AvOqJDwdFtjMhtTvVw95C5ifwm84OT2VyZR/Pata0xzBCeL5DQxxbXw32+K7btyv"
    "zMtSCGYiuSYfPu7h/TUiAb"
)
