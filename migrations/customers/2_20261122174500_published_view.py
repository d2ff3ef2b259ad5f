"""Publish the contact data of customers to other plugins."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Create the view; customers whose data was erased are not in it."""
    return """
        CREATE VIEW customers_customer_v1 WITH (security_invoker = true) AS SELECT
            id, owner_id, store_id, name, email, phone, locale, created_at
        FROM customers_customer WHERE erased_at IS NULL;
        ALTER TABLE customers_customer DROP CONSTRAINT customers_customer_store_id_owner_id_fkey,
            ADD CONSTRAINT customers_customer_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE customers_guest DROP CONSTRAINT customers_guest_store_id_owner_id_fkey,
            ADD CONSTRAINT customers_guest_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE customers_guest_order DROP CONSTRAINT customers_guest_order_order_id_owner_id_fkey,
            ADD CONSTRAINT customers_guest_order_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Drop the view."""
    return """
        DROP VIEW customers_customer_v1;
        ALTER TABLE customers_customer DROP CONSTRAINT customers_customer_store_id_owner_id_fkey,
            ADD CONSTRAINT customers_customer_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE customers_guest DROP CONSTRAINT customers_guest_store_id_owner_id_fkey,
            ADD CONSTRAINT customers_guest_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE customers_guest_order DROP CONSTRAINT customers_guest_order_order_id_owner_id_fkey,
            ADD CONSTRAINT customers_guest_order_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
    """


MODELS_STATE = (
    "eJztXG1v27YW/iuEv6wFvCB13nrTYUCSZl0u0nhovBdsHWRaom2iMumJVFyjN//9nkNK1q"
    "tdy4sTxdUnyyQfknoOdcRzHtpfWm6otJywQO2deV7AlGqdki8tQScMLkpq26RFp9NMHZZp"
    "OvCzCIemEAOlA+pqaDCkvmJQ5DHlBnyquRQI+33MAkYoieFkRoVWRI+5GCkyCGQ4Gus3RA"
    "5Tbb5TJBqDKcI+Q//+nEjBCEcgIx4b0tDXezgDT7owBejsMQYLBf8nZI6WIwZVAQz5199Q"
    "zIXHPjMVf51+coac+V6GcO5hB6bc0fOpKTvnoyuhfzJt8VYGjiv9cCKS9tO5HkuxAHChsX"
    "TEBAuoZjiCDkJkXYS+H1kqNoSdbNLEzjKFie4MChBtJ5CUtRznpttzbi97jtMq2DVGpNiP"
    "ilwpcE3AVO2KG+EUvv9Pp3NwcNLZPzh+fXR4cnL0ev81tDXzLVad3NvJJGzZrgxnV++ubn"
    "o4IQkLzy5NLLg3GKqpRRljJOzLGTDmVLVBGvV1S8S8rzJFXJDYInlsdswYRV9Tmf8csDHB"
    "xiYANphfJP9iTINy6heAHOlwK2uQHjmY2nA+oZ8dn4mRHsPXV/v7K/j87ezDxc9nH15Aq5"
    "dZVm+iqo6tyxHMBXtVieAYsBHBtVvVGYY7R0drMAytljJs6ooMd6oy3NnNJbwVgl2u51X4"
    "jdvvHr1b8RABG+GkKhCcIBqK16J4KpV2pceqkJzG7B7NnXVY7iwnuVPg2JWh0EE1R5FAdp"
    "DhdQhezm/hLUd1kdqffEmXbJGj9jlehwh4fsyuoPJt99fz60vyy4fLi6vbq+4NjjKZq3/8"
    "pBKLoIBrQ8GHy7PrPLcwdCVubfuG2zW45ThY6OKsVBXfkMftnoM4WutNd7TiTXdUfNNxtZ"
    "h2gexzKX1GxRK+M8Ac2wNAPsPgY1V03O1em+WsouV8fpWLlW9+fX9+CTuNl9klXpLFCBhS"
    "4pQ56LdQo/mELXn/ZZA5zr0Iuhdf7JYBelfvL297Z+9/yVjh7VnvEms6WVcTlb44zj0Ki0"
    "7I71e9nwl+JX92b4xXwv3bKDAjJu16f7ZwTjTU0hFyhhnrFCdxcVx0j0nb4adU4hALBtT9"
    "NKOB5xRqZEcua1usmnQm+RIq6MgYCdnEeSbJ+IvoqlWeq19Ut9dO1rtpyFez9bfQdCC9Od"
    "Fjqk0WHNABI5+ALnVKqCDUNdu5NpEB1PtzzKRLoaFXi8GUucmbklkgNSMefCkm6rc0zkfx"
    "UfT7bEK53++TFy5V7Puh9D3mvYQ+PdLvT+HZY1h3uffq+ND0PqAwsMdHXCtoBdczoyLgAH"
    "ZS8Pi6Y2bUgMke9OHLERdOPAr0i4Pawrh7242d5pxAHeGCDOanplcRTgYwb64I9Wd0rsg0"
    "kHdMtE1lpEWQYSAnJLoXxzYABwJdS7zNfl8xGrhj+B7JFLhYyIyDbwk1wRs3NwwsMnhIcd"
    "b4zOI1QMZAiYKiL6OACvAybUL1PZQP5qabPdIVOH1JZlQRcESKwS2O4VpII6UQnw01GYTW"
    "ChzwQ+DRWCTwYNGZoX3mjfDaWMvMjjciyjNIGjciSo2MkZBvXFFl8tOohvyNyTefFaKauP"
    "3uRTNbyTzbd1mR4B77vGxdLxCPJ5+0Wk+wfb78o5fZOcc8vnh/9sfLzO75unvzLm6e4v3i"
    "unueo9vsKaos5wWgWc9rrWezC6yUhI4BO0jwg2egU9vvSnJgFraDTG9FdU3CmupkN8u6wr"
    "LORXpVk0wl8AfINNXMBs890ZR5SVClZhAvOxBYl+x9Vrws8sAdfLq24coGPNBjj5ZIl/hk"
    "lXOdxqx6nJ4f4av0IHg8Cq8Bl/oV3wAxYveW58E6q/Ng+eI8KJ69iZJzRYb/e9u9WSarJ5"
    "j82uSuJv8jPldbi/FbPwxDYXQ7Mgi5r7lQezjsj08QJSFHq6OkfECU8+fYQT5KavSeb+I1"
    "bNPbm2y40sBmq1U3G9dH03sXMqVb5YKerWuvreaNFu3X+OGNZHcssJIM8wjVhFpBq40iE5"
    "SEUyKxRUq4MWKNEd5OCfX9hcbjUuEy3wcQRHSq7Ic32xvMinrcg3cd13OrePX7MSenP3Dv"
    "x37fKHkINjFnLLFRlZL8UMDiMFSp8pcS/aLjah8FjBMKVCQF6mdoPCv3pfqkBiMVw98UId"
    "iHB1zpzB2O6R2KcfN21IljKh3uJeKh6S5V/gaawrBONCZXCzEx0jxhb+Vb3c+sCILHaBj1"
    "cIiFMLhQBdUYQBlt8KPIiINn5I4rro0iCVZQXKACCdveN6YTPeaBB3cW35eRBac+dY2FYE"
    "jTwMEGjoS7wQ7ttKIx8RYtI/ZmhNR2Uo0eWH8VpNEDa2SMRg+sBfnxy6hKQJzG7OBvfo4P"
    "14iJjw+XxsRY1Yiuj5gOy2xFqnmRAnQjV1I3yp/Ek8S7vCoLPY1pFnujyD65dJUNX6r5ki"
    "K2cSabOpPmYEdzUAn7foIU/FYOKmk6KlFEzoKAzsvZjgE5rrepgzxRChb4++vvHF0miVNC"
    "2FLfmwAeLxbc367H7bw6PDl8fXB8uHC0i5JV/rVkY2byVRXITAANmXkytdTUd9QUImBnwo"
    "UMqu0RSuE7w/IjbxKGPFDaMY++U/Z/BMsPQxSR3/SRCLohjQXgt8xiRjqowmIB+C2zaJ9M"
    "xTY6OVgAN2J23cTsgt/Z0NR5bGPpulm6ZscWuripba04u2AbtKsdYLDpnrWPMZjfskbSM1"
    "dtI8EbPZxHxwcU/v60TYy+b8Tp2ZiJ+Nro1r6Un8yxhNKjCw8+wCNK2v86c9Yo242yXQNj"
    "JORbF1GV/DSqIX9j8uPTP068bV77pHwe+C/343UzR7UN+capjidLcuzcSubKMe9uVuZIvv"
    "IXSSlg8xdJ6/9Fkj0TuEFckgE2B+abqGRpVPIb5s1a5QGJrVs/FrlbtP9qFBIdaP1OxSd7"
    "5dD8a1H6sGzqPPMbIrAWTwebv8qxh4vxjPMMLxYHnIvRyDYHag7a1vrV1YQjNTJGE47Ugv"
    "wmHHmQcORZiNnbX7wPpmc34d2TewarWm0ccZTAGzGkbmFHQfba2NxFdGPtuln7SYPM+/8D"
    "I7h8Tg=="
)
