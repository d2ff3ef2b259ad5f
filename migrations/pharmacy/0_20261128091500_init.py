"""The tables of pharmacies: pharmacists and releases of orders."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Create the tables of pharmacies."""
    return """
        CREATE TABLE pharmacy_pharmacist (
            staff_id bigint NOT NULL,
            owner_id bigint NOT NULL,
            store_id bigint NOT NULL,
            PRIMARY KEY (staff_id, owner_id),
            FOREIGN KEY (staff_id, owner_id) REFERENCES staff_member (id, owner_id) ON DELETE CASCADE,
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT
        );
        CREATE INDEX pharmacy_pharmacist_by_store ON pharmacy_pharmacist (store_id, owner_id);

        CREATE TABLE pharmacy_release (
            order_id bigint NOT NULL,
            owner_id bigint NOT NULL,
            store_id bigint NOT NULL,
            status varchar(20) NOT NULL CHECK (status IN ('waiting', 'released', 'refused', 'cancelled')),
            requested_at timestamptz NOT NULL,
            decided_at timestamptz,
            decided_by varchar(50),
            note varchar(200),
            PRIMARY KEY (order_id, owner_id),
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE CASCADE,
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT,
            CHECK ((status IN ('released', 'refused')) = (decided_at IS NOT NULL)),
            CHECK ((decided_at IS NULL) = (decided_by IS NULL))
        );
        CREATE INDEX pharmacy_release_by_store ON pharmacy_release (store_id, owner_id, status, order_id);
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Drop the tables of pharmacies, and everything in them."""
    return """
        DROP TABLE pharmacy_release;
        DROP TABLE pharmacy_pharmacist;
    """


MODELS_STATE = (
    "eJztl99P2zAQx/8VK09MAlSlK2V761g3+kBBEG0S02S5sZNaJHawHZUI9X+f7STkVyktGx"
    "qgvjl3971cPpfctfdOMkciRn52eJEfqFTOZ3DvMBQTfVjp3wcOSpK615gUmkUNCUyakplU"
    "AvkmfYAiSbQJE+kLmijKmRGOQEziGRGAB0AqFARgMecgRhkQJCJIEsAFJkIemnSY+zofZe"
    "HWypTR25RAxUOi5kRo/a/f2kwZJndElpfJDQwoiXCDhs0NKTZprBeqLLGeLzScMPXNKkx1"
    "M+jzKI1ZW5Vkas7Zg4wyyyYkjAikiLmbEqlhw9IoKoiWuPLCq5C84poGkwClkSFs1HkZlc"
    "2BcHruwauxB6HToV8qalgLk8+Z6ZwuVVoYoSnh4JPr9vtDt9c/Oh58HA4Hx71jHWvr7bqG"
    "y7yYilmeypKbfJ9MPVMQ169H/goZw9JqkEK5yjam6gRfaGJbd6KueroTJfd1rSgNVS+ql/"
    "udNaP+GXBBnvEZVKod/K3gm4EU3NQ+BGOYIf9mgQSGHQ93+WOxXVfsxm0LYii0OM1zm4If"
    "tsBlPk5Xr4jSuel+ELX4p5cDy2c4WFA1B4movAecRRmgisRyHyCG7ewvcmMt0ucgNUeq9r"
    "UvK2IIW7FHXugmf7FybD3bD7qaardydivnjTZjt3JeCXykUtlFf6In+aM/eQtFC7t+mLeI"
    "PUZ3MCIsVHN96fbWEP0xujw5HV3uub0PTazTwuNaVxOwIPoxpcYBkepi/qpBKRqT1ajb2h"
    "ZwXIgPy8MbxL8Gtzc5G195o7MLkz6W8jayxEbe2Hhca81a1r2jVmsekoCfE+8UmEtwfT4d"
    "W5xcqlDYO1Zx3rVjakKp4pDxBUS4zqQ0l6ZGqzHxKX5Wo5vKf9DmYoXvuvxyXZ5l20zNpu"
    "pZk/OV9bQ5OAebDM7B44Nz0BmcjCuyDeEy/v2xdXubbaV1a8ni/a//NZd/AN72g/g="
)
