"""Cash of deliveries that drivers hand in, and sums without a limit."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Add the movement of a kind of its own, and widen the sums of shifts."""
    return """
        ALTER TABLE drawer_movement ADD COLUMN driver_id bigint,
            ALTER COLUMN kind TYPE varchar(20),
            DROP CONSTRAINT drawer_movement_kind_check,
            DROP CONSTRAINT drawer_movement_check,
            ADD CONSTRAINT drawer_movement_kind_check CHECK (kind IN
                ('opening', 'paid_in', 'paid_out', 'no_sale', 'payment', 'refund', 'driver_cash')),
            ADD CONSTRAINT drawer_movement_check CHECK (CASE kind WHEN 'opening' THEN amount_minor >= 0
                WHEN 'paid_in' THEN amount_minor > 0 WHEN 'paid_out' THEN amount_minor < 0
                WHEN 'no_sale' THEN amount_minor = 0 WHEN 'payment' THEN amount_minor >= 0
                WHEN 'driver_cash' THEN amount_minor > 0 ELSE amount_minor <= 0 END),
            ADD CONSTRAINT drawer_movement_driver_check CHECK ((kind = 'driver_cash') = (driver_id IS NOT NULL));

        ALTER TABLE drawer_shift ALTER COLUMN expected_minor TYPE numeric(40, 0),
            ALTER COLUMN difference_minor TYPE numeric(40, 0);
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Make what drivers handed in cash that was put in, and narrow the sums."""
    return """
        ALTER TABLE drawer_shift ALTER COLUMN expected_minor TYPE bigint, ALTER COLUMN difference_minor TYPE bigint;

        ALTER TABLE drawer_movement DROP CONSTRAINT drawer_movement_driver_check;
        UPDATE drawer_movement SET kind = 'paid_in' WHERE kind = 'driver_cash';
        ALTER TABLE drawer_movement DROP COLUMN driver_id,
            DROP CONSTRAINT drawer_movement_kind_check,
            DROP CONSTRAINT drawer_movement_check,
            ADD CONSTRAINT drawer_movement_kind_check CHECK (kind IN
                ('opening', 'paid_in', 'paid_out', 'no_sale', 'payment', 'refund')),
            ADD CONSTRAINT drawer_movement_check CHECK (CASE kind WHEN 'opening' THEN amount_minor >= 0
                WHEN 'paid_in' THEN amount_minor > 0 WHEN 'paid_out' THEN amount_minor < 0
                WHEN 'no_sale' THEN amount_minor = 0 WHEN 'payment' THEN amount_minor >= 0
                ELSE amount_minor <= 0 END),
            ALTER COLUMN kind TYPE varchar(10);
    """


MODELS_STATE = (
    "eJztme9v2jgYx/8Vi1edxKEWytq7vaIdtyGt7dSi223XU2oSQywSm9lOKZr6v99jOyEJAU"
    "aiVaJc3mzF9vex8/Hz+Nfzo+EJPCeidcUfSUiYavyBfjQYDgn8UahrogaezdIaXaDwKMg0"
    "dsJs45FUArva6BgHkkCRR6Qr6ExRzrToEksfKR8r5EKfTcQFmlPlI4wYmWBFHwl6eMAhj5"
    "hyQsq4eHhAc7D+Ds0FVYowxJlLEGYeCB6JQK6P2YR4Ld29x13on7LJi/Z0z+5ZD83wQn+1"
    "NivIOIJW2jqPFFiVPh0rh3raIpZoxPmUQL1PA4IYRxYccnkUeGhEkOLwv+LIxzAmqlpgwR"
    "MwPmFNUAlSfs+gew/MUAYflHya8skCdCDHUxgxlHicC2loRIx+j4ij+IRAMwFM/vkXiilY"
    "eSIy+TmbOmNKAi/nB9TTBky5oxYzU3ZBJwOm/jRtNeuR4/IgClnafrYAAGwpoNYnJoQRgR"
    "XRPSgRaZ9gURDEXpS4iR1s2sSOMqPxyBhHgfYsrbYDSMsajnN9M3Tu+kPHaRS8LlFk3CMu"
    "cjnTHgtDlQbARA/ht9/b7U7nrH3ceXvePT07654fn0NbM95i1dmzHUxKy5oyzAYfBtdDPS"
    "AOYWHDRhc8Gw1W2KrMZKT0+ZyZuS83B1nVz2ci4b5tKpKCdC7SoD6wyUjhS8UFKQ0/q6rh"
    "V4cfL5wl4WdUleDHS8z/m/0UvrbI/dLHYj31pP0KcfiQ1+juIX5yAsImyoef7eMtNP/q3V"
    "5+7N0etY/f5JFexzVtU5WHmz1nlHPuVWW9ulT2cC68KvtqRlWvLlXZx8fl0vTzupp/Vf72"
    "jlIaf05W069Kf3mdK0c/J6vpV6WPXbVu1918tFkKDvBs093lbNPdfLbpFs42jCtShm7Svh"
    "LcfXPoFba7wd1Gt4DXvh45WBUZvwdOioZkPeeccAW2FytbyR+v0K+3oB4Orvp3w97VZ20+"
    "lPJ7YHD1hn1d0zali5XSo7crs7I0gr4Mhh+R/om+3Vz3DU4u1USYHtN2w28NPSYcKe4wPn"
    "ewl2WSFCdFuUmmHglnEBfMXThTsigTTmukhxdZ7W53lytZt7v5TqbrViPLWzg+lv66XZlh"
    "sdgUVxnZCurRQsG4Xh3sbVvsp5uLXBQB0YvBde/269FV7+83uVD6dHP9IWmfjZCLr8N+D+"
    "Dr9+bxNPPmqQtG2J3OsfCcQg1v801ti1VhO1wtwQxPDEv90eYTbXrjTr8XNdbkPWxFc4ek"
    "h1y2/GnGo5e8948FDxGfEQYzoZ/7XX2xh79bqIfM+yECp0KcEdMImS4QHyOcGLDv/SgEss"
    "V0x8t0o3MdX3xu8h96P5HQLEn46NSHG3BJpGlvDfkcZgBRJZHgcxRwF7YgndAgTzPiQjgs"
    "Uy00VkWh7tx2aO3K5j1LUjBzH/5JrYPI9Oi90zkSOh4TAeseyRqd67SIzrqY7yZeEwVESp"
    "MtaaEhWII1Upqsjg5hPXYSBPdMkBnBMOp4LIJAXEpldQYU8YzIdq+zNHWKZe+vAHWKZY8m"
    "o06x7AX8dE/b9YCZKurr8A7XYTcSelMqdYbPag4QcmcHxp2NiDurhKXCKpJl+KaKA6R7so"
    "sLn2x24ZOCC9vzjjMq5cM50QFi/vUrRUys/MtOTli/7Oz1y058E3PGAceVEsAbDNRHoMpH"
    "IHuHK7m85USH98D2AucgC6z86pYT/oLVbc+4H9Liln/VWTPRxKUhDtbPc1G8OtlW3YqtHN"
    "RUv+9fDq56n45Oj5s2qGBaqSLZaDsthpR90qqyixSkdTq58g165d2xpNuvk9eOv93x6xTz"
    "i6aY9RGzbNoxqzk8zC+SbzTIyucbc7I631gi31g4jpZ18pyo9vKdvNwyK+/meV3t568lr/"
    "78H9LQ4C8="
)
