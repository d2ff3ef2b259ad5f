"""Gift cards, and changes of what cards and credit hold, keep the key under which they were asked for."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Add the keys, each good for one card, or for one entry of a balance."""
    return """
        ALTER TABLE payments_gift_card ADD COLUMN idempotency_key varchar(255), ADD COLUMN body_hash bytea;
        CREATE UNIQUE INDEX payments_gift_card_once ON payments_gift_card (store_id, owner_id, idempotency_key)
            WHERE idempotency_key IS NOT NULL;

        ALTER TABLE payments_gift_card_entry ADD COLUMN idempotency_key varchar(255), ADD COLUMN body_hash bytea;
        CREATE UNIQUE INDEX payments_gift_card_entry_once
            ON payments_gift_card_entry (card_id, owner_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

        ALTER TABLE payments_credit_entry ADD COLUMN idempotency_key varchar(255), ADD COLUMN body_hash bytea;
        CREATE UNIQUE INDEX payments_credit_entry_once
            ON payments_credit_entry (account_id, owner_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Forget the keys."""
    return """
        ALTER TABLE payments_credit_entry DROP COLUMN idempotency_key, DROP COLUMN body_hash;
        ALTER TABLE payments_gift_card_entry DROP COLUMN idempotency_key, DROP COLUMN body_hash;
        ALTER TABLE payments_gift_card DROP COLUMN idempotency_key, DROP COLUMN body_hash;
    """


MODELS_STATE = (
    "eJztXV1z27gV/SsYvSQ7o3ocSY7d9slO3cQzsZ3xqk13mw4Nk5CEEQUwJBhFs5P/XlyQFL"
    "8kWeAmFs3cNxnAAcFzwUvcg0v4j15AVwsmVHT0JmQeV+euK2Ohen8jf/QEXTD9Y1uTPunR"
    "ICg2gCJFH/wSynENyqEF2EOkQurCVSbUj5gu8ljkhjxQXAoAf5xRRSiJlAwZkUsWESn0jw"
    "nhKiJurMsXLIyOoDNPuro3LqaWuFjwzzFzlJwyNWOhRv/3f7qYC499ZVH2ZzB3Jpz5XokQ"
    "7kEHptxRq8CUXfDplVD/NG1hVA+OK/14IfL2wUrNpFgDeMLFlAkWUsXgCiqMgQsR+37KYk"
    "ZPMti8STLKAsZjExr7wCigkwHkZT3HubkdO79ejh2nV2M7QxSITItcKcBSHGwLBExhCH/5"
    "62AwHJ4Ojoevz05Gp6cnZ8dnuq0Zb73q9FsymJytpCvD2dXbq5sxDEjq6ZBMGyj4ZjBU0Q"
    "RljJGzL5eaMcfWBkXU45bIeN9liqwgt0U+mTtmjJx882RZk19EIfmNyc8cmDX/FSCa4E+Y"
    "IAyZcFd1/t/MaLiN/RxToV7f0HOkfkG/Oj4TUzXTfw53kPrv87s3787vXg5/KRN7k1YMoK"
    "bM8AP1qXCZs+BChnbTvAZ9uol+3K1ZHjLgx6GqboB/6BrFF2zLXC8hK/x7KfQo+/EM5/4O"
    "bsdX15e/js+vP0D3iyj67Bu+zseXUDMwpatK6cvXlSdj3Qn5eDV+R+BP8vvtzaWhU0ZqGp"
    "or5u3Gv/dgTDRW0hFy6VCvyElWnBV9g0XtZF5YWEHBA3XnSxp6Tq1GDuS2tvWqxWBRLaGC"
    "To2RgE0YZyWYuBQqXPV2RBtJA8tYg61Bj0Yatzo+cGdUTE2YQNdBwosojSKSLuuhhg0QY4"
    "1WOz6MNVpkjJz8VDGwpr+MQwM0NsBc363NQjdr38FF7qvjPVa5r463LnOhqjK7F2aSNljm"
    "VpE4wxvP8OcZbHTODDL0mrxmC6hG5KfrmZ+beyEVs3HyWftGTr5tjJd8/MnxPk5et9rq5U"
    "1ddRGjNnmW7fyuAR18i57sR/AOfqv0co8tAj0jhbty5sxKltsA7d6cHpyc7EG5brWVc1NX"
    "eWtKb+XMaDTb5K8FDVdb3phFWIXqh5Vi0fMje5f3fX97URKCNKMXVzfnd7+9vD7/zy8lNe"
    "j97c3brH1R5Ln4bXx5jtocanNPrM295RP1RvfT2yjMrWv7e6pyUw1w3AzxqCR3LQVbEQVb"
    "+cuZZF9YSOaapkgXMeJKj5EFXZEoYMIjug3s8BvF7YiMswZcRcyfEB4RvVwhcxaovm7nr0"
    "weALigup73ZFdFMbDVK2MUA1tkDEw8aAX5B008aNmS70AW0O+XBkvuEqzhkrttj8Ah1txA"
    "o08jNbIJMMuoDobzoz1Cy9HWwHJUDSsjRVUc2TCcIzrI7vffcsDkpR+dvMQFV5z6TfYTal"
    "Bcr/xk2zrdyiHDfYUfuq/AvgZcr1gayIBl5HeQAVtG/nNXAXF7A7c3WkL2AUItHkVxo92N"
    "EhA3N1rn1lq3ubEj9bjcpG+7zfFn8o+hEwKdvIhIuhZ9PPd4Gwi3Glq9WMathhYZoyCTwC"
    "NsrXTnIKQeM47bKP9hxnELZvjzlKY6ZwbMOD4c96gMYsYxZhyjJIeS3POQ5DDjuIk1UJSz"
    "EeU+JD96G+W4rLK/pxAXFNrvJcBpl6wXdkZLE8Qs8jZrbhvafRKfxP19MUC6vyfm++OIKA"
    "nUJBnEpvULKFNUT6T7e8WDvL2+YyKFrgygKtRwT192Xc8jsoTEZFe7sk8iqybauMzTILjA"
    "Ql9B/5RzPbrJEfRvxqofvqwTKjxdnMiGeSEcVKB7TROfKeQpC+hVfmFhnyy5fmRj9UnALe"
    "gR900vU/6FCQKmhwuFbBIDpDZa7XjJFPKkoSWQBp0kTPVhtLodfdC962GnNE71k7+kK0d3"
    "ySDrhCW9AS4I5ReeUCgMW6B7poYG6iDFOtCzK+onNxnqmyx2k15+YbK8ub4j7aV85mpP83"
    "cDYO5cu6ls9Aw6NAOM5poMwb7qIS9n3GfJYNLr6gaQD65tgXJr+yMQlFtbZAzM7G4F+QfS"
    "QZB8KFno14S00rtzRAdj9eE+sfpwe6w+rMXqmFGMWwrddyPrSMLOAiUYZrk2474cqtkZoI"
    "5FKzR8AkqxruVjUMPizk7jzImCuGBnhSoSn4SG/qgkxlj6oxoWrdDYConwZLP0LIFwX2iv"
    "faGDpGq1jeaf7XBO5F+X1KRyG1ezEYwuZz+XU9lbsOF9ExZp34t2OEw7ZK5y4tC3e6uWcR"
    "2k+3h0tg/futl2wk1llXEVh8Ke7yKqg2z/iMnN4YKxCyOzUiuruA7SfbxXihw02zG560ly"
    "E8r9OLRy3gVI93jGb5Qxb6jf7BvlLHfC1sZFHFq4zRbGjGLMKO7akgszijGjuI3OpkvvjQ"
    "kXPJo1snMFiuuDttm5NZnjd2bXqrcxcTyt6++ZNx7mzW0OqZ5KFiU5zkquz44OKPfWWeKQ"
    "YlxJEc+SpCHl2iQZ94nPojTXmYaQPQ7VEHQyb+dp1U90eUxubvXOACY3t8gYmNzcCvIxuf"
    "mgMx9zbzH3tuuzXIejkR6nxSzPER2c5XigAcqPKD+i/IjyI8qPB5cfXbkIfNbQ0BUsCpBt"
    "s3TLBMj3XLDeDhHS1PethEjHzzCPqpHv5JLoIa6KR1O8iAh0QChJujPHNkTpCQhGL5zIMD"
    "nQYTkzmh6ofysylUmtnigS/sWdO6/Lj09wPdQbWx0Cod7YImNUv/+xZr8EQ/ob0w8O0Jr8"
    "Agipb0z955gKxdWG+HUr8UVIl5gfvBqdjs6Gr0drwtclu3je8JEPSoyHn9gc1oNmXcQ2OR"
    "YpfUbFloVNBVpVDDT2GZphF6O3t+9LQcvFVYXfm39dX1zevXxlohXdiKsC7S2LKT7QcMuJ"
    "eIV6y5giyDCPxhQfIQGgspjPTnKDU93SnvvpAXTZ4Xgmb4AnmQUL6jFzhlw9gvjuvWO80G"
    "p/hvFCi4yB8UJL6E+9nDX/ZRwaoLEBcIXbAiNgqsgPThXBwwIOtM2Ln5k+QX4IfoCI+3vf"
    "ORb/9n8eIwpt"
)
