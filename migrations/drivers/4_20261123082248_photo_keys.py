"""Idempotency keys of photos, for phones that send one again after a lost connection, and checks of identity."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Add the keys, which are unique for each order, and the kind of proof."""
    return """
        ALTER TABLE drivers_proof ADD COLUMN idempotency_key varchar(255), ADD COLUMN body_hash bytea;
        CREATE UNIQUE INDEX drivers_proof_once ON drivers_proof (order_id, owner_id, idempotency_key)
            WHERE idempotency_key IS NOT NULL;
        ALTER TABLE drivers_proof DROP CONSTRAINT drivers_proof_kind_check,
            ADD CONSTRAINT drivers_proof_kind_check CHECK (kind IN ('otp', 'photo', 'id'));
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Drop the keys, and the checks of identity."""
    return """
        DELETE FROM drivers_proof WHERE kind = 'id';
        ALTER TABLE drivers_proof DROP CONSTRAINT drivers_proof_kind_check,
            ADD CONSTRAINT drivers_proof_kind_check CHECK (kind IN ('otp', 'photo'));
        DROP INDEX drivers_proof_once;
        ALTER TABLE drivers_proof DROP COLUMN idempotency_key, DROP COLUMN body_hash;
    """


MODELS_STATE = (
    "eJztXd1y2zYWfhWMbprMaD22HMfZzc7OyInaesc/GVttt206FERCEmsSYEgotrabd99zAJ"
    "IiKUohWVumVFxJAvAB0HcA4vwA4B8dJ3Q/szA66EeRO+U+47LzD/JHh1OfwZey7C7p0CDI"
    "ZGKKpGMvC7BoHjCOZEhtrHtCvYhBksMiO3QD6QqOuOGMkSWGiAmhnIjQYSGRglCi6z0g/S"
    "R1RiNCJfFFBKU5I/Y8DBG5rKRL7l05E3NJRqOQeYxGzLGoHI0OsEuOsKFPLp9uvfWP/CMf"
    "jRh34gTiRiRiktzPXI8RCV3RbUCywzxsmDmQBMxBvvO2WB8JWOhTDk16iy50xoa/wgVUE8"
    "bdxs5+5Gm9XayLQ6cVDXPufpozS4opQwiQ8etvkOxC7x5YlPwM7qyJyzwnNzZcBytQ6ZZc"
    "BCrtzJ2ec/mtKoskjy1beHOfL8sHC2CFpwBXD5Ap4yykkmELMpzjAOFzz4tHVTJmdGeXRX"
    "QvMxiHTejcw2GGaN2BZVrHsq6uh9btYGhZnZUhmCAy4yJOsgXH4QtdjRQBU+zC3/7e6x0f"
    "n/YOj1+/OXl1enry5vANlFX9Xc06/aI7s2RLV6U4O//u/GqIHRIwR/Q0woQvCkMl1SgljC"
    "X74h4Ys+rKIIv6uiQS3jeJIklYymI5w/dMGBnycSLVJz+DMuQ3Jl8/1Wqzn4MZ+hvTr5c4"
    "WHzGi1UBvJvRsJz+AqwgAPhbuygAnz5YHuNTOYOfJ4cbuP2xf/Pu+/7Ni5PDl3mCr+Kcns"
    "paQzWVq1S/B56k67Ov0K2hBbqdGHuQfNlB8jeQPTy/HNwO+5cfsHo/ij55irD+cIA5PZW6"
    "KKS+eF0QTFoJ+el8+D3Bn+SX66uBohP0vmmoWlyWG/7SwT7RuRQWF/cWdbKcJMlJUk7QiT"
    "JYV8pZ3COIONaijIQfX8IZlb2ukAtQI+c2y/k+FHwKwgMqVuV861PPW6ugFKDbU1EOn1Y/"
    "Oe6dvk41EvyxSQe5vexfXGilAw3PyV3G+MGEMbXv7mnoWCs5oifWlV3N8nt+MYVyOlUE4Z"
    "9RPYx9H+/dKKDSnnXKHCNpZreSW8TJFq/kFIkYDe0ZmYDRnvghyHhBxGQC9aEzwAHzXfkB"
    "sN/knroyUqXR4L9zoS3Gyx0ej1IzOjP65F6Ed4AOQmGzKGIRwaKcPUgSSRbEng1XkpkAxh"
    "VePdKwESol8wMZQTO2mMPIURAsRKE8/cxiv4dqCbsdivvYNcJgGkDdjOedJonqg34Oj00k"
    "unCwQCCEt22fx+ObfMb1YVwfz2n+hTBJS5jfvLSloO0Rf9TORS3nyFDP17rq4BJlNME2a4"
    "KRpKFspPDnkcZ0b7WYY9sMNBfXqyvoItZM6DZLOtFUV6W8dt3LQvbGnusdvTp99eb49at0"
    "/UtTNi2CLTPq1OclGNtep9Suy+R3q5l26rOaYddP7C0xUeFj+FAmDKqo36AFJGDcqkAthq"
    "LB+NIFfPJiNFKZoMfGdtnLVePuUWvX0WoP7cAumGsen0IW5Q5+FzaVSRSahjp27dFIEpUD"
    "/zVpWvcH2g5mGHgmiR2H7aeWXNxpWP0W0UceG5ouWJVYozKkIhOybr+pYOy2Fgkjq47qiV"
    "2P/CyqEfkt00eeh3v1ucL7+lhpUn4Pg6S9k5MKUVIotTZMqvLy/KpVpQ7BKWAfGa4Shu6t"
    "D0P3VsLQbmSBNgOLc8mzQwgwYvia1TOLKzA9BuBTUZ2srNu1Z86ury9ypszZeeHBcPXD5d"
    "ng5sWRoh4KuXLN8wKIA6qimTsp8R18jfIscoukpyk7y7pizbJnlE+buW1K8Maib7NF75UJ"
    "+VtP0DXakFcq1AkC9kqQ769/OLsYkA83g3fnt+fXV3nJqcz8ZLoZ9C8KswkMxXrc6vKG2y"
    "rcpoZ3bY9jDmmeTu1+OkXSihjjTeRcwBpJt1nSdsgazuc80oSKWi3m2NHZJOabQ5rJ3DYp"
    "tyWqMaAh1zyvRjSSvG6laAbLlK4czvgmIjGOTELha98+ZixUtIFyQp3f55FUh+zGi2VUAi"
    "MPyVapJPLwlric+C4HIAxTGa2Pczxts/FxPWgAJqDg+ryeCmrQBZbFr8pNCt3A2Uf+q0Ic"
    "fRIyZJI5aee4IJ4A4zCMd7qZaEb7nbgmmtEiYTx7NMOQv1wjzAG8v9bh05apjM/DvT7nb9"
    "c6+ZjF7GG86bhCuOl4bbTpuBhsGtOIWUr/qje+87i92Wy15fEt3aAJ+TmY4b7hwerUSGki"
    "gjK0kUTDMw6MRtDPGs/4JaLRE75ta2vhXHu1g+2bTrav7ClI7elyV9ia485Z0CYv2A4uqp"
    "tCRv3hoJy+BifGs0DjL26dJzH/GNIOpEZnxnNQ4zFum5zb4jG+xtO+nTJ/sc7pVvIWi7Rs"
    "pTPNqvi6W9a6anc5HiAWc2kLn5WfXm5Qh3G1tlr/Mq7WFgnj2d1NhvzlA9a4Wp8tzBAbE1"
    "XtwBSwh46+oypm4NF6K/BoxQjclbsEnn5cP8Z1AsZr8eReC7NRay37u26Q5bwrD4EL1TVx"
    "r+SQRsztFrO5dXEPJdwWz8qHmZCiU+ZZ0TndSp6VIC1bybOiiutj9UEoxKSLd6/Zs+yFaW"
    "M2EfFZfVUE8so9LH+iri16WlS75oY143DZcWEsyf89YCVHp85cTsNFOfEJonjccyH1VaI7"
    "RvsmBi+uz3KLD2jrZ+dX/ZufX1z2//MytwJdXF99l5TPLixnPw8H/eK+B3rX6JxNFme0Pa"
    "MLrNMFcJEq1wVUTkVdIC37VV1AVYtr93InvF68xwy3oEcqWMIzr6vBq1jvYJTp7e1CBrhz"
    "XmkAq8rBY1au74/Vqga+VAdVidHIdZgfCIm75qw7tgAc6hYyIvPAE9TpEhd/knuKb87hUr"
    "1qB6860nEfrAPqmiWgsXAWJgDU/iXQ6CMtEoYJALWC/OVDtLYEVqBGDI3FgKtXHc96Ut6E"
    "gSqEgUCv+dzIEZcDGvW7dep37k6jvEpXZzKVQPcvXvUkF6Oh5muhKlzPn5CDNXQqtIzsLf"
    "kU2mJwDlno639YNDh1TreSwSnTspWcz4k5SBROe47Vkcu36btQqbr2NS7oskhdGzsJGVOG"
    "25x7ru+iY9nlxHEjSbm9ZvvfE7WlD3uPoUAU32k7Gv06D8BktPwumbD4iNFvkKmOmnNG1c"
    "bDCQ31rbZQBG3cOZf0AeueQAXw1cKZYgWBr01gFNcBthRv1AnoQless2nmwly6UO9cYRTs"
    "6+RPb9uYffxzs8amNTbtc+rz5uY3c/PbLnKbrkD1nho5mDkV2OyZobSCVd7/fXt9tUaNTg"
    "BF09S1Jfkf8UDpeCrmO/+czLmtruAfz11Pujw6wPb+1dn+uEeCcvp1YrKk6nXGmnlXolxj"
    "BWfFiQB6nCVQd2oyHVbB5kqEptMCKLS0s7eBJErARhJNJZG1M1bFsP7wfgG2RwL4U6+qyQ"
    "1y4GjdHeibt6vnkdtbe0+eltnH2bD+ae6CYdnkovMVrLnqvMZV58lraC1fOLXOt6wAtxfg"
    "6ASxSHcxxKFOq5ZGONZzncVsk+aQBTSM737cRa4DUStUFxffIsM8fvnILpJbdFjWU/fK0M"
    "Ycra7ttSa84Aad0uACpHerhRbikpUCC1AYPeGuozd6JSf+tXscNzhE3cKtrV3CHmxv7uC1"
    "q1LXkL4GT78nXEbMm5THFp62OfP28fbPs67x27dJGLt6P91e0N+aNQf+vPdBoLhKl55lds"
    "UVCAHV1qB+7oWmSXQ2Xh2UbZ8JM79NT0fRiYRSx4d4U3jp9eWPVKvZ1tzi6WOWklYJw1yt"
    "0hL6txuBbxvnexWC/4uRS217DgN7YZUEWTZwnIeZ3Q4VmJ4xiiY19HsaMlYSe99AdwnWcF"
    "6B8yhgzLH8oB7bOZThuQLPIbPRPdPsctcc1Bx8aN3Bh2e1mb/8H/nx/H0="
)
