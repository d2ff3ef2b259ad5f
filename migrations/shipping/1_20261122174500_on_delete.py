"""Say what happens to rows when the row of core that they refer to is deleted: it is not."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Replace the foreign keys by ones that refuse the deletion at once."""
    return """
        ALTER TABLE shipping_shipment DROP CONSTRAINT shipping_shipment_order_id_owner_id_fkey,
            ADD CONSTRAINT shipping_shipment_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE shipping_shipment DROP CONSTRAINT shipping_shipment_store_id_owner_id_fkey,
            ADD CONSTRAINT shipping_shipment_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE shipping_shipment_line DROP CONSTRAINT shipping_shipment_line_order_line_id_owner_id_fkey,
            ADD CONSTRAINT shipping_shipment_line_order_line_id_owner_id_fkey
            FOREIGN KEY (order_line_id, owner_id) REFERENCES core_order_line (id, owner_id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore foreign keys that say nothing."""
    return """
        ALTER TABLE shipping_shipment DROP CONSTRAINT shipping_shipment_order_id_owner_id_fkey,
            ADD CONSTRAINT shipping_shipment_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE shipping_shipment DROP CONSTRAINT shipping_shipment_store_id_owner_id_fkey,
            ADD CONSTRAINT shipping_shipment_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE shipping_shipment_line DROP CONSTRAINT shipping_shipment_line_order_line_id_owner_id_fkey,
            ADD CONSTRAINT shipping_shipment_line_order_line_id_owner_id_fkey
            FOREIGN KEY (order_line_id, owner_id) REFERENCES core_order_line (id, owner_id);
    """


MODELS_STATE = (
    "eJztmW1v2zYQx78K4TdLgS1IlDhO987pvNZA4gyJ0K1dB5oWaYuIRCokVdco8t1HUpL1ZH"
    "uWumGuoXfy8f7U6Xfk8SR/7UmfRhFli9NHfRESpm4pI72fwdceQ6G52OLxI+ihKCqOG5NC"
    "s6AkgjIVwSBTzaQSyFPaa44CSbQJE+kJGinKmdG6PgHPMWKKqhXgc4AY4AITAcwUgDKAQD"
    "brqZkRc09PaSJoIY4ZfY4JVHxBlE+EnuLPv7SZMky+EJn9jJ7gnJIAl8BQbCawdqhWkbXd"
    "0MWYqV+trwltBj0exCHL/aOV8jlbCyhTxrogjAikiLmDErGhwuIgSHFmoJJgc5ckyoIGkz"
    "mKA8PWqJMAclsPwsm9Cx9HLoS9GvdMUaCZmjzOTM50qNICWJgQfnrtOBcXA+fs4uq6fzkY"
    "9K/PrrWvjbc+NHhJgslpJVNZZuO344lrAuJ6YSTrxxherAYplKhsMnL6fKmJwaY5KKr+OR"
    "MZ912pyAx5LvJlfWTJKNcEu6ub8q8IuxS0ToGtaraqNt8EVWmXhtZpyM6aega24i9Kjom8"
    "c345uLy+uLpcA19bdnFOmJpTdv5UqPTGMEPe0xIJDGsj3OHbfOtDoRNWLYihhQVlnsgEV+"
    "ty7jgmwe5GKHFp2gnt1wQN122K6WK47l3srq03PNscP7FPbDpFGAsi5XQKqLTPCugcUAUW"
    "nEigONA9T+L/gwSp7ymYTm3QBEOkEuXSJ8zIlkgCH+lVhjOxh4Sg9nbTKcUkjLgizFvBJ7"
    "LSUu2qZ5txvII+kr6xCKJ1XBITrZlAEL2GpdLXSAFPELPs9a265uzwq2DXnB1QMgp1SnHR"
    "vCkoqjr439iWtevIOvjfCD89wers3/hIbCZfkFTA68fZA3xa2w+Ge4i+wICwhfL1z/7Z2Q"
    "6m74cPb94NH06016sy2Uk65CRjZcjpid8EckFyfJDP94J8vgPyeR2yJOIz9UgTyAVJB3kv"
    "yKYFfzKtOYvDWbMVvUHaQW8GPRZBK+Kp7ihx78l7J/B6LVFIxY0OxVzRinKrZqQXEYbTl+"
    "f/nrWzD2lnO2enTnn9ylwn/YtmpWhItn8TzZUV4jiVnmYX398q30HaHd+NHt3h3W9m+lDK"
    "58DiGrojM+JY66piPbmqZGU9Cfh97L4D5if4eD8ZWZpcqoWwd8z93I89ExOKFYeML6HuAQ"
    "tMMnNmKmUZk4B+JqJVnqvaLtOHnOnKx6wm5XOD9PhOK6ff36eE9vvba6gZKxfR9ZfCTa/P"
    "DInVZuAlWQX1bKWI/P5g73oXvr2/Ke0iTfRmPBk+fDi5G/7xqrSVbu8nbzP/4g65+eCOht"
    "UXu+Tja4vKVlb+C3Xt0D5nHFNhiyPcMs1lZZfmg0vz//on2svfsuWDIw=="
)
