"""Keep the grams of each guest's name, e-mail and phone, so that a search reads an index instead of every guest.

While the grams of the guests that are there are written, their totals wait; orders do not.
"""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    return """
        CREATE TABLE customers_guest_search (
            guest_id bigint NOT NULL,
            owner_id bigint NOT NULL,
            grams text[] NOT NULL,
            PRIMARY KEY (guest_id, owner_id),
            FOREIGN KEY (guest_id, owner_id) REFERENCES customers_guest (id, owner_id) ON DELETE CASCADE
        );
        -- Sequences of three characters of a text and of four digits of a phone, each after the id of the store.
        CREATE FUNCTION customers_guest_grams(store_id bigint, name text, email text, phone text)
        RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
            SELECT ARRAY(
                SELECT store_id || 'n' || substr(name, place, 3) FROM generate_series(1, length(name) - 2) AS place
                UNION
                SELECT store_id || 'n' || substr(email, place, 3) FROM generate_series(1, length(email) - 2) AS place
                UNION
                SELECT store_id || 'p' || substr(phone, place, 4) FROM generate_series(1, length(phone) - 3) AS place)
        $$;
        CREATE FUNCTION customers_index_guest() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'INSERT' OR (OLD.search, OLD.email, OLD.phone) IS DISTINCT FROM
                (NEW.search, NEW.email, NEW.phone)
            THEN
                INSERT INTO customers_guest_search (guest_id, owner_id, grams) VALUES (NEW.id, NEW.owner_id,
                    customers_guest_grams(NEW.store_id, NEW.search, NEW.email, NEW.phone))
                ON CONFLICT (guest_id, owner_id) DO UPDATE SET grams = excluded.grams;
            END IF;
            RETURN NULL;
        END $$;
        CREATE TRIGGER customers_guest_indexed AFTER INSERT OR UPDATE OF search, email, phone
            ON customers_guest FOR EACH ROW EXECUTE FUNCTION customers_index_guest();
        INSERT INTO customers_guest_search (guest_id, owner_id, grams)
            SELECT id, owner_id, customers_guest_grams(store_id, search, email, phone) FROM customers_guest;
        CREATE INDEX customers_guest_search_grams ON customers_guest_search USING gin (grams);
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        DROP TRIGGER customers_guest_indexed ON customers_guest;
        DROP FUNCTION customers_index_guest();
        DROP TABLE customers_guest_search;
        DROP FUNCTION customers_guest_grams(bigint, text, text, text);
    """


MODELS_STATE = (
    "eJztXW1v27YW/iuEv7QF3KB1XtrbDgOcNGsztMnQeLvD1kGhJdomIpOeSCc1dvvf7zmk3i"
    "zJjuXFseLyUxSSD0k9pMjD85D0Py1/qrQcs0jtdYMgYkq13pB/WoKOGTxUxLZJi04mc3EY"
    "pmk/nEd4NIfoKx1RX0OCAQ0Vg6CAKT/iE82lQFiXKHrDAhKwkN+waEZi9FvCvgIwnBEpGJ"
    "EDQklSwhOVJGKKcEX0iAF8QKeh3sNCA+lDqVwMN5T/VPC/p8zTcsggKoJS/vwLgrkI2Fem"
    "kn8n196AszCYo5UHmIEJ9/RsYsKO+fBM6J9MWqx93/NlOB2LLP1kpkdSpAAuNIYOmWAR1Q"
    "xL0NEUuRXTMIzbI6HbVjZLYmuZw8RvBgGIthXIwlqed37R8y5Pe57XKrVegsgRHgf5UmDL"
    "Q1VtvxpiFZ7/p9PZ33/VebF/9Prw4NWrw9cvXkNaU99y1KtvtjIZWzYrw9nZ+7PzHlZIQv"
    "eyHRADvhkM1dSiTGNk7MtbYMyr2wZ51N0tkfC+rCmSgKwtso9jxxqjPKLU5r8AdE2wdhMA"
    "Gywsk38yolE19SmgQDq8ygqkxwNMYzgf069eyMRQj+Dfly9eLOHzt+7nkw/dz08h1bN5Vs"
    "/jqI6NKxDMBXtZi+AEsBbBjevVcwx3Dg9XYBhSLWTYxJUZ7tRluLObXXgjBPtcz+rwm6Tf"
    "PXo3MkJEbIiVqkFwhnAUr0TxRCrty4DVITmP2T2aO6uw3FlMcqfEsS+nQkf1BooMsoMMr0"
    "LwYn5LsxzVZWp/CiVdYCLH6Qu8DhDw+JhdQuW7i1+PP56SXz6fnpxdnl2cYynjmfo7zCIx"
    "CAK4NhR8Pu1+LHILRdfi1qZ33K7ALcfCpj7WStUZG4q43RsgDlea6Q6XzHSH5ZmOq7TaJb"
    "KPpQwZFQv4ngMW2O4D8hEuPpatji8uPprurOLufHxWWCuf//rp+BQsjWfzXbzCixExpMSr"
    "GqDfQYzmY7Zg/ptDFjgPYuhe8rBbDdA7+3R62et++mWuFd51e6cY05kfauLQp0eFTyHNhP"
    "z3rPeB4L/kj4tzMyqh/TaMTIlZut4fLawTnWrpCXmLfukcJ0lwEvQNnbaD65zjEAP61L++"
    "pVHglWJkRy5KW44ad8bFECro0DQSson1zFzuJ/FTq9ojn0a3V3bJ+3nICj75JD06xtE/Dv"
    "9F7A2hglDfGHJtIiN0mUuhISuiR1QbP7lxlpK4r1d54+8p5y/ii7i6YmPKw6sr8tSnij0f"
    "yDBgwTPIKyBXVxP4vhjGne69PDowufZpxEjAh1wrSAXPmG9SUMA0ZKb2ABrKIRdekjlkh2"
    "XZwCTXBG1C35hHE4V6AQ1v6UyRSSRvmGibOPYcMyODSI5JXG3PxsN4ANlJgeUqRiN/BP9a"
    "0eGLwLYntxyGiqkm+I7m3YAoBt8cIvATxOe4Rv0ZQcge6QoCQ4diQcb3NWMTBQWFM1MjHr"
    "S/iAGQYriNAuglJvOQBUN8NrxHbABILQl3yscj8PQ65aNBjZGRb4a42uTnUY78tck3f2ss"
    "RZL0u7cE2Yi72E5ZZYJ77Ouifp0iHk7zaLW2YPOe/t6bM3cTHp9+6v7+bM7k/Xhx/j5Jnu"
    "P95OPFcYFuYznU6c4pwPXnlfqzMeJqeY4TwA4SfO9u45xhXUvDm4ftINMbkUqzBUt9sl23"
    "rtGtC+u5up6hCvg9uIca1gaP3Ts0N0lQpW5hzeyNqKqwfZZMFkXgDn5dmxjK+jzSo4BW6I"
    "34ZVVznccs+5weH+HLRBz4PErTgE/DmjNAgti97rm/Su/cX9w598sbZmIXXJnhny8vzhdp"
    "4Rmm2De5r8n/SMjVxtb4rR8GU2HENtKf8lBzofaw2B+3sEpCjpavkooLosJ4jhkUV0lOpP"
    "kupmHr4V7H4MoDnanVtDZujhD3fsqUblWrcDauvbIEN0zTr6C/TQABw/PtSFpthgWEakKt"
    "WtY2khDRUgOcwKohIjQMExGHffXZBNUi4bMwBCAs5FSVEnfvZVhNjgcws3E9szLW1VXCwJ"
    "sfePDj1ZUR4jK5TEzHfcibCxM2kNEYhcFUvXtDKtU7wgdWIIs3lWFJU3ENncjoaNhYVrjL"
    "6YA+VMIKcEa3g69Z6eR9jNg1ojdG0xu34yw8E+vxIBMBTWa58LeQFAr14hLjw0JGN3mijB"
    "ZHEo3NtD/QOuL+CBOqESQjuPOF0aBC/bMJ7tQAu+SGK66N7gjTueLQEoqA3YtV0yMOX0FI"
    "lfakyHKGWGQZH02K55jCcgEZfhGmqrYDCIlvaFiyeCG1rZkTBJsvgzhBsEGN4QTBRpCfzE"
    "91VsR5zA6e1Dk6WGFRfHSwcFGMUU51fUB/2Jx1Um8UKUHXGkqaRvlWRpLE8KvT0fMY19md"
    "JLt17Wp+RVNvLClj3WCy7mDidna4nUqY9xZ88BvZqaTpsEIS6UYRnVWznQAKXG9SCNmSDx"
    "b4+/OvAl3GiVNB2MKxNwM83FrwxWZH3M7Lg1cHr/ePDtKBNg1ZNr5WGGbGX1WDzAzgyCyS"
    "aVzAnprACtgbcyGjejZCJXxnWH5gI2HAI6U98+l7VbcILN4NUUZ+13si6Jo0loDfM4tz6k"
    "IdFkvA75lF+2UqttbWwRLYqdlNU7NL486aTV3EupZuWks3bN/CCWrjrSWbF2yCdr0dDJ6f"
    "ou7cx/BB3hKo5sxq38oqytRuKkDJn5KIiqE9SGvULTKiigyhQ+CWgoiE0Chvbex0bO/oNI"
    "AnikTyNrmbk0fxLoLyJoeHrgDugOjCZ8WHQ3vCOdv+ENOHWwkmYAwHNoe2FfOJpuqaRGwS"
    "Up9hnlKxXHF4rhc3S5htCmmZ5i2cCt98+92p8A1qDKfCN4N8HAOhWp4Z4Gq4asrAXWqFe/"
    "Pa2AmvBq8ZwPFZtWtEeWa+rRgs7rhoKYU94DVLacijumepYfbzBTqFl9nPNkFd+1mmqDvt"
    "516ybdTYgsLu0DQWI5qkdIyWOOGaGJNc4U5TsCcVJsY9smZTJ7thouJW/HvN+QHNz3+tNT"
    "sr1FmhDWiMwkRdm/w8ypG/NvnJfnkvcTSvfLi0CPyXHuymNUc9F/ba4uDWZMGd68lgaJq5"
    "mlUNJHdYqDmguwp09atAjbNuneOHc0B3xtT58ZevQy7tNrQlC5HLdKNarZVItr9txaVIRM"
    "cKfdH2DBslNgMy4OjOpnZB8Ra92csd4PYmSjxpt2BhsplyHnCZcv/mmVumuGXKVpcp+E2W"
    "mV+ynzNFfD8bOpszcVzibx6e0GiR/pvFrz5pmN9R9PwEtNKUgb++FB+vzn5f0Yisk6kmwK"
    "20dzBDpsmJZCOwPIEE8HLt9ODzJOJ+1TH2TRRiz7HfwDtze2pa4LUg+GOQRj9mFOYif4Ty"
    "Ax6/7qOOi7ckY/l4BB3vUYZEUchxahKMQG2GAO6zASrMXJPbCIxK5aTb5g+AbjZqUGO435"
    "JsUBOYQbdM/uI7r1LAw194tR2zYCNXW8WzUg1hN4fYpe5+b8rudBKseVnYPNI5cpwjZ6E9"
    "/hseGVhgi9u41e3wmzT9SiZ4coXTIPGcgNkbX3skhbFP87cGtXNXDaWXO5nU1bb3vebujO"
    "FGT/7OGG5QYzgFuRHkOwX5XhTkR3Fi9xEZtU6R3/rIYI/mrS0SV8Ddia+mLTBKZ/vWbu4y"
    "2rV201p7q8vJb/8HluyRbg=="
)
