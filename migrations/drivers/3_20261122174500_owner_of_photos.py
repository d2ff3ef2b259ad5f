"""Find photos by their key, which has the owner."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Drop the index by which links without an owner found a photo."""
    return """
        DROP INDEX drivers_photo_by_link;
        ALTER TABLE drivers_assignment DROP CONSTRAINT drivers_assignment_order_id_owner_id_fkey,
            ADD CONSTRAINT drivers_assignment_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE drivers_dispatch DROP CONSTRAINT drivers_dispatch_order_id_owner_id_fkey,
            ADD CONSTRAINT drivers_dispatch_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE drivers_driver DROP CONSTRAINT drivers_driver_owner_id_fkey,
            ADD CONSTRAINT drivers_driver_owner_id_fkey
            FOREIGN KEY (owner_id) REFERENCES core_owner (id) ON DELETE RESTRICT;
        ALTER TABLE drivers_driver DROP CONSTRAINT drivers_driver_store_id_owner_id_fkey,
            ADD CONSTRAINT drivers_driver_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE drivers_earning DROP CONSTRAINT drivers_earning_order_id_owner_id_fkey,
            ADD CONSTRAINT drivers_earning_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE drivers_earning DROP CONSTRAINT drivers_earning_store_id_owner_id_fkey,
            ADD CONSTRAINT drivers_earning_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE drivers_offer DROP CONSTRAINT drivers_offer_order_id_owner_id_fkey,
            ADD CONSTRAINT drivers_offer_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE drivers_proof DROP CONSTRAINT drivers_proof_order_id_owner_id_fkey,
            ADD CONSTRAINT drivers_proof_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE drivers_terms DROP CONSTRAINT drivers_terms_store_id_owner_id_fkey,
            ADD CONSTRAINT drivers_terms_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE drivers_tip DROP CONSTRAINT drivers_tip_order_id_owner_id_fkey,
            ADD CONSTRAINT drivers_tip_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore the index."""
    return """
        CREATE UNIQUE INDEX drivers_photo_by_link ON drivers_photo (proof_id);
        ALTER TABLE drivers_assignment DROP CONSTRAINT drivers_assignment_order_id_owner_id_fkey,
            ADD CONSTRAINT drivers_assignment_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE drivers_dispatch DROP CONSTRAINT drivers_dispatch_order_id_owner_id_fkey,
            ADD CONSTRAINT drivers_dispatch_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE drivers_driver DROP CONSTRAINT drivers_driver_owner_id_fkey,
            ADD CONSTRAINT drivers_driver_owner_id_fkey
            FOREIGN KEY (owner_id) REFERENCES core_owner (id);
        ALTER TABLE drivers_driver DROP CONSTRAINT drivers_driver_store_id_owner_id_fkey,
            ADD CONSTRAINT drivers_driver_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE drivers_earning DROP CONSTRAINT drivers_earning_order_id_owner_id_fkey,
            ADD CONSTRAINT drivers_earning_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE drivers_earning DROP CONSTRAINT drivers_earning_store_id_owner_id_fkey,
            ADD CONSTRAINT drivers_earning_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE drivers_offer DROP CONSTRAINT drivers_offer_order_id_owner_id_fkey,
            ADD CONSTRAINT drivers_offer_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE drivers_proof DROP CONSTRAINT drivers_proof_order_id_owner_id_fkey,
            ADD CONSTRAINT drivers_proof_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE drivers_terms DROP CONSTRAINT drivers_terms_store_id_owner_id_fkey,
            ADD CONSTRAINT drivers_terms_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE drivers_tip DROP CONSTRAINT drivers_tip_order_id_owner_id_fkey,
            ADD CONSTRAINT drivers_tip_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
    """


MODELS_STATE = (
    "eJztXW1z2zYS/isYfWkyo/PYchznLjc3I6dq6xvHztjq3bVNh4ZIUGJNAgwBxdb18t9vAZ"
    "AUXxWStWVKxSdJwC4APQsQ+4IFfx84kfeZRPxgzLk3pwGhYvA39PuA4oDAl6rqIRrgMMxU"
    "yhKBZ36WwcJ5hhkXEbZl2y72OYEih3A78kLhMSr5pguC1jyIuQhTxCKHREgwhJFu9wCNk9"
    "IF5ggLFDAO1JQgexlFknPdyBDde2LBlgLd3kbEJ5gTx8Li9vZADslhNozJo/Ot9/6RfqS3"
    "t4Q6cQHyOOJEoPuF5xMkYCi6Dyh2iC87Jg4UAXJQ77wttodCEgWYQpf+agiDseGvUAbNRP"
    "Gw5WA/0rTdoWyLwqAVDEvqfVoSS7A5kSwAxi+/QrEHo3sgPPkZ3lmuR3wnNzc8Rzagyi2x"
    "ClXZmTc/p+I7RStBnlk285cBXdOHK0CFpgyeniBzQkmEBZE9iGgpJwhd+n48q5I5owe7Jt"
    "GjzPA4xMVLX04zya0HsC4bWNbl1dS6mUwta1CagglHZl7ERTajcvrCULkCYC6H8Je/jkbH"
    "x6ejw+PXb05enZ6evDl8A7RqvOWq0y96MGu0dFMKs/Pvzy+nckAM1oheRrLgi+LBAmsuJY"
    "w1+uweELPayiDL9XVJJLhvEkVSsJbFeoXvmTAy4MuF1B78DJcBvzP4+qnWGv0cm4G/M/x6"
    "i4PNZ7YqC+DdAkfV8BfYCgKAv7WLAgjwg+UTOhcL+HlyuAHbf42v3/0wvn5xcvgyD/BlXD"
    "NSVTVQY1GG+lvASXgB+QrcmrUAtxPzHiRfdhD8DWBPz99Pbqbj9x9k8wHnn3wF2Hg6kTUj"
    "VboqlL54XRBM2gj69/n0ByR/op+vLicKTtD75pHqcU03/Xkgx4SXglmU3VvYyWKSFCdFOU"
    "EnymBbKWf5HkHEsRZlJPz4Es6o7G2FXGA1cu6znO8jRucgPICiLOebAPt+rYJSYN2einL4"
    "tPrJ8ej0daqRyB+bdJCb9+OLC610SMPTvcsYP7Jghu27exw5VqmGjVgdbbkqGAXFEkzxXA"
    "Ek/4waYez7+NbjIRb2YlDlGEkrh43cIk6WvJFThBMc2QvkgtGe+CHQbIWY60J70hnggPmu"
    "/ABy3Ogee4Iramnw33nQF6HVDo9HaVk6M8bonkV3wB1GzCacE44kKSUPAnFBwtiz4Qm0YI"
    "C44lePNNkJFoIEoeDQjc2WMHMUiyTCQI8/k9jvoXqSw47YfewaIbAMoG1C806TRPWRfg6f"
    "uEK6cCRByJi/bZ/H45t8xvVhXB/Paf5FsEgrkN+8taVM2wP+qJ+bWs6RoZ6vbdXBNZfRBP"
    "usCXKBI9FJ4c9zGtO912KObTPQXDy/raCLvGZB91nSiaZalnLtvpdl2Rt7bnT06vTVm+PX"
    "r9L9Ly3ZtAn2zKhTn4NKk05XDZsZdGvir5pz48TKYq4KGsOHMlykYvqNtHsYzFYVnpUBaD"
    "C5NEGAXtzeqkrQXmNr7GXZpHvU1nWM2pfW3xCMNJ/OoQpTR35nNhZJ7BlHOmLtYy6QqoH/"
    "mnStxwN9hwsZbkaJ9Sb7T+23eNCw5634Rxqblx7YkrJFZT5xE6juv4FgrLUeCSOrhOqF3Q"
    "78LFcn8HumhTwP9uqzhHt9hDSh38PQ6OjkpEFsFKhqg6OqLo+v2lXaAJwy7CPCTYLPo/rg"
    "86gUfPa4BdoMbM4Vzw7GwHShNbtnlq+A9AwYnwrqZGfdrhVzdnV1kTNgzs4LD4bLH9+fTa"
    "5fHCnogcgTNc8LAA6g4gvPrfAYfA3yLOcWQU9LdhZ1hZplLzCdd3PWVPAbO77PdrxfJeTv"
    "fIZrtCG/UqiuZNgrQX579ePZxQR9uJ68O785v7rMS05V5hfT9WR8UVhNYCi2w1bTG2ybYJ"
    "sa3q39jDlO83Tq99OJC4sTQrvIucBrJN1nSdsR6bie85wmQNRrMceOzi6R3hynWcx9k3Jf"
    "YhkTHFGNczmYkdQNG0UzSIa6cTjjG45iPuRGLNC+fVmxUtEGTBF2fltyoVLrZqt1VEJGHp"
    "IDUknk4S3yKAo8CowwTQWvj3M8bbdxkh50AAuQUZ2lp4IaeCVp5VflJoVhyNWH/qtCHGMU"
    "EYkkcdLBUYZ8BsZhFJ9vM9GM/jtxTTSjR8J49miGAX+9R5i0uz9XymnPVMbnwV5n99ut8h"
    "2zPHsYbzpuEG46ro02HReDTTPMiaX0r3bzO8+3N0estjy/hRd2AT/HZrDvmE6dGildRFDF"
    "bSTRMbOBYA7jbPGMX3N0esL3bW8tZLM3S2fflM9eOlOQ2tPVrrCaJOcs0yYv2A5uqptCRu"
    "PppBq+DnniWUbjL+6dJzH/GNIOpE6Z4jlW4zHum5z74jG+kjm+gyp/sa4ZNvIWs5S2USaz"
    "Iq+7W22oTpfLtGG2FDYLSHXOcoc2jKu11/qXcbX2SBjP7m4y4K8fsMbV+mxhhtiYaGoHpg"
    "x76Og7amIGHtVbgUclI3BXbhB4+nn9GJcIGK/Fk3stzEGtWvR33SDLeVceQg+a6+JeyXEa"
    "MfdbzOauxT2UcF88Kx8WTLBBlWdF1wwbeVbClLaRZ0WR67T6MGLMHcob1+xF9pq0GXFZnK"
    "uvSKCu2sPyB9raoqdF9WvuVTMOlx0Xxhr830JSkTp15lEcraqBTziK6Z4roS8Q3THYNyF4"
    "cXWW23xAWz87vxxf//Ti/fg/L3M70MXV5fcJfXZjOftpOhkXzz3gu055Nlk+o+0ZXaBOF5"
    "CbVLUuoGoa6gIp7Vd1AdWs3LvXJ+H15j0j8gg6V8ESmnlJjbyA9Q5mmT7ezkQoT84rDaCs"
    "HDx24yYu0+udyagJPRKGicv0Avz1s621BEqsRgydxSA3lTYO74TeRGcaRGdA3fjcyT+WYz"
    "RasdGKa7TiKYkCXqkV65pmWrFIaRt5yBKdFSk+7d5SeWFv09c0YnU3ZUzoEa7utnQjQtSp"
    "oiX1vcCT3i+PIsfjAlO75ozSE/WlM1JnQMDjizdvb39ZhqBAW8EQuSTOg/gVKlU+LCVYnY"
    "5ycaSv3gQSqYgvqcAPsm0XGoCvllyDVhgGWk+X4jqQPcWnCUK80g3rapy51ROv1OsgCAYj"
    "IPnT21btHz+5z2j4RsN/Tu3GXE9lrqfaRWzTHajdUyPHZlKXuj0zlFZQxv2fN1eXdXmTMU"
    "NRUfdsgf6HfFA6ngr5wd/dJbXVPeGzpecLj/ID2d8/Btuf9xKgnM6eWEZpXCFjNL2riCrI"
    "Bs6KCwH0OItJ3anLcigzm7ztrssCILS066uDJCqYjSS6SiJrZ5TFUJ9hXGDbIwH8obdo5C"
    "Y5YFR3UfPmM7V5zu3tvSdPi+zjnKr9tPTAsOxyG3OJ19zH3OI+5uQNmVbAnFaH8EuM23P3"
    "DsJYpLvo8FUpdZX+3nqsszzbhDkiIY7iC+p2EeuQtQpcxORbRJjGb0jYRXCLDst26l4Vtz"
    "FHm2t7vQkveOGgMrgA5cNmoYWYslFgAYilJ9xzlG8/TUvW7nEZ7uXDwtWSQ0QebH/pyLsh"
    "hW4hfVeXfoWx4MR3q2MLT9udeTFy/9fZ0Pjt+ySMXb1Eay/g782eA3/e/8CkuCq3nnV1wx"
    "1IMjTbg8a5ty4m0dl4d1C2fSbM/DZN4cCuAKrjQ3mdceUdy4/Uqjnk2ePlY7aSXgnD3P/Q"
    "E/i3G4HvG+Z7FYL/k4GLbXsJE3tlVQRZNmCcZzOnHRogvSBYmtQw7nlESEXsfQPcFbwG8w"
    "aY85AQxwrCdmjnuAzODXCOiC3dM91uoMyxmmPg5hh41mb+8n9/bOHs"
)
