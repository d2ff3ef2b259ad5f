from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    return """
        CREATE TABLE IF NOT EXISTS "payments_credit_account" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "owner_id" BIGINT NOT NULL,
    "store_id" BIGINT NOT NULL,
    "customer_id" BIGINT NOT NULL,
    "currency" VARCHAR(3) NOT NULL,
    "balance_minor" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE "payments_credit_account" IS 'What a store owes one of its customers.';
CREATE TABLE IF NOT EXISTS "payments_credit_entry" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "owner_id" BIGINT NOT NULL,
    "account_id" BIGINT NOT NULL,
    "kind" VARCHAR(10) NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "balance_minor" BIGINT NOT NULL,
    "order_id" BIGINT,
    "note" VARCHAR(500),
    "actor" VARCHAR(50) NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE "payments_credit_entry" IS 'One change of a customer''s store credit.';
CREATE TABLE IF NOT EXISTS "payments_gift_card" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "owner_id" BIGINT NOT NULL,
    "store_id" BIGINT NOT NULL,
    "customer_id" BIGINT,
    "code_hash" BYTEA NOT NULL,
    "code_last4" VARCHAR(4) NOT NULL,
    "status" VARCHAR(10) NOT NULL,
    "currency" VARCHAR(3) NOT NULL,
    "initial_minor" BIGINT NOT NULL,
    "balance_minor" BIGINT NOT NULL,
    "note" VARCHAR(500),
    "expires_at" TIMESTAMPTZ,
    "issued_at" TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE "payments_gift_card" IS 'Money that whoever knows the code may spend at one store. The code itself is not kept, only its hash.';
CREATE TABLE IF NOT EXISTS "payments_gift_card_entry" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "owner_id" BIGINT NOT NULL,
    "card_id" BIGINT NOT NULL,
    "kind" VARCHAR(10) NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "balance_minor" BIGINT NOT NULL,
    "order_id" BIGINT,
    "note" VARCHAR(500),
    "actor" VARCHAR(50) NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE "payments_gift_card_entry" IS 'One change of a gift card''s balance.';
CREATE TABLE IF NOT EXISTS "payments_payment" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "owner_id" BIGINT NOT NULL,
    "store_id" BIGINT NOT NULL,
    "order_id" BIGINT NOT NULL,
    "method" VARCHAR(30) NOT NULL,
    "status" VARCHAR(10) NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "tip_minor" BIGINT NOT NULL,
    "rounding_minor" BIGINT NOT NULL,
    "tendered_minor" BIGINT,
    "change_minor" BIGINT NOT NULL,
    "refunded_minor" BIGINT NOT NULL,
    "reference" VARCHAR(255),
    "card_id" BIGINT,
    "account_id" BIGINT,
    "gateway_reference" VARCHAR(255),
    "charge_reference" VARCHAR(255),
    "redirect_url" VARCHAR(2048),
    "instructions" VARCHAR(2000),
    "failure" VARCHAR(500),
    "expires_at" TIMESTAMPTZ,
    "check_at" TIMESTAMPTZ,
    "actor" VARCHAR(50) NOT NULL,
    "idempotency_key" VARCHAR(255),
    "body_hash" BYTEA,
    "created_at" TIMESTAMPTZ NOT NULL,
    "finished_at" TIMESTAMPTZ
);
COMMENT ON TABLE "payments_payment" IS 'One tender of an order.';
CREATE TABLE IF NOT EXISTS "payments_refund" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "owner_id" BIGINT NOT NULL,
    "store_id" BIGINT NOT NULL,
    "order_id" BIGINT NOT NULL,
    "status" VARCHAR(10) NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "reason" VARCHAR(500) NOT NULL,
    "actor" VARCHAR(50) NOT NULL,
    "idempotency_key" VARCHAR(255),
    "body_hash" BYTEA,
    "created_at" TIMESTAMPTZ NOT NULL,
    "completed_at" TIMESTAMPTZ
);
COMMENT ON TABLE "payments_refund" IS 'Money that goes back to whoever paid an order; ``amount_minor`` is what was asked, less the parts that failed.';
CREATE TABLE IF NOT EXISTS "payments_refund_line" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "owner_id" BIGINT NOT NULL,
    "refund_id" BIGINT NOT NULL,
    "line_id" BIGINT NOT NULL,
    "quantity" INT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "is_restocked" BOOL NOT NULL
);
COMMENT ON TABLE "payments_refund_line" IS 'How many of an order''s line a refund gives money back for, and whether they go back into stock.';
CREATE TABLE IF NOT EXISTS "payments_refund_part" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "owner_id" BIGINT NOT NULL,
    "refund_id" BIGINT NOT NULL,
    "payment_id" BIGINT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "status" VARCHAR(10) NOT NULL,
    "gateway_reference" VARCHAR(255),
    "failure" VARCHAR(500),
    "check_at" TIMESTAMPTZ
);
COMMENT ON TABLE "payments_refund_part" IS 'What a refund gives back of one payment, to the tender that it was made with.';"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        """


MODELS_STATE = (
    "eJztXV1z27gV/SsYvSQ7o3ocyY7d9slO3cQzsZ3xqk13mw4Nk5CEEQkwBBRFs5P/XlyQlP"
    "ghyiLXtmjmvskADgieC4L3HlzCf/RCugyY0OrgXcQ8rs9cV86F7v2N/NETNGDmR1WTPunR"
    "MMw2gCJN7/0cynEtyqEZ2L3SEXXhKmPqK2aKPKbciIeaSwHgz1OqCSVKy4gRuWCKSGF+jA"
    "nXirhzUx6wSB1AZ550TW9cTGri5oJ/nTNHywnTUxYZ9H//Z4q58Nh3ptI/w5kz5sz3coRw"
    "Dzqw5Y5ehrbsnE8uhf6nbQujundc6c8DsW4fLvVUihWAx1xMmGAR1QyuoKM5cCHmvp+wmN"
    "ITD3bdJB5lBuOxMZ37wCig4wGsy3qOc30zcn69GDlOr8R2isgQmRS5UoClONgWCJjAEP7y"
    "18FgODwZHA7fnh4fnZwcnx6emrZ2vOWqkx/xYNZsxV1Zzi7fX16PYEDSTId42kDBD4uhms"
    "Yoa4w1+3JhGHPq2iCLetgSKe/bTJEWrG2xnswdM8aafPtk1SY/i0LyG5OfLmC1+S8A0QR/"
    "wgRRxIS7LPP/bkqjKvbXmAL15oZeIvUB/e74TEz01Pw53ELqv89u3304u309/CVP7HVSMY"
    "CaPMP31KfCZU7AhYzqTfMS9Pkm+mG3ZnnEgB+H6rIB/mFqNA9YxVzPIQv8ewn0IP3xAuf+"
    "Fm5Hl1cXv47Orj5B94FSX33L19noAmoGtnRZKH39tvBkrDohny9HHwj8SX6/ub6wdEqlJ5"
    "G94rrd6PcejInOtXSEXDjUy3KSFqdFP8CpHc8yjhUU3FN3tqCR55Rq5EBWtS1XBYOgWEIF"
    "nVgjAZswzkIwcSF0tOxtiTbiBjVjDbYCPRhp3Jj4wJ1SMbFhAl0FCa9UEkXEXZZDjTpAjD"
    "VavfBhrNEiY6zJTxSD2vTncWiAxgaYmbut4+im7Tvo5L453MHLfXNY6eZCVWF2B3aSNnBz"
    "i0ic4Y1n+MsMNjpnBhl5TV6zGVQj8hN/5ufmXkjN6izyaftGi3zbGM+t8ceHuyzyplXlKm"
    "/rik6M3rSyVPO7AnTwLXq8G8Fb+C3Si0pFJfWoVDySUvGej/U7009vo0yxqu3vqFFMDMBx"
    "U8SDAsWVFGxJNGxsLqaSfWMRmRmalClixJUeIwFdEhUy4RHTBvY7rf5wQEZpA64V88eEK2"
    "IWbzJjoe6bdv7S7opOqZqW1Y1nuypKI632E1AaaZExcBu2FeTvdRu2bR70fixg3i8OvEI2"
    "8S9otKzgPwsrsH+/1Ey9wEdgG5cfb85zDp7xo88vr89uf3t9dfafX3Je3seb6/dp+6zzdv"
    "7b6OJsE/s+Vfqo1i54DtXB4OZoh9jmqDK0OSpGNkpTPVd1GF4jOsju4wuwmMrx1KkcXHDN"
    "qd9EXS1B0V/5yUTubmXUoMr6pCor+x5y47E0kAHzyEeQAVtG/ktXAXPvE6XmjbTeHBCl3t"
    "YZuXVS75a0tHyTfl3R98/kpkEnBDp5pUjyZn44L60KhMJrq10HFF5bZIxM0AiPcG3dbw1C"
    "6jEbrY1iCGajtWCGv8xAvXNmwGy0/XGPOglmo2E2GkoUKFFUSRSf4h+9jeJEWtnfUZYIM+"
    "13kiM0M9MnssqCIPaVt1mB2NDui/gi7u6y7uLdHbFf6iiiJVATZ5fZ1q+gTFMzke7uNA/X"
    "7c0dEylMZQhVkYF75rKreq7IApLWXKqmX0RaTYxxmWdAcIHAXMH8lDMzuvEB9G/Hah6+tB"
    "MqPFMciyjrQvikz/SaJMVRyGET0Kv8xqI+WXDzyM71FwG3YEbct71M+DcmCJgeLhSx8Rwg"
    "pdFOTW8TyKGDlkAadBIz1YfRmnb03vRuhp3QODFP/oIuHdMlgx1JFvcGuDCS33hMobBsgQ"
    "qUGBqog/S70Mwu1Y9vMjI3me0muXxgMwC5uSOzSvnMNSvN3y2AuTOzTKWjZ9ChHaCaGTIE"
    "+26GvJhyn8WDSa5rGkCuoLEFik/t98dQfGqRMTDrrxXk7ykqRPKhJDCvCVlL/VsjOhi5DH"
    "eJXIbVkcuwFLlgthkKrN1fRlaRRD0L5GCYAdWM+3yoVs8AZSxaoeETkIt1az4GJSzq3I33"
    "kTPiQs3N5AISn4SG61FOjKm5HpWwaIXGVoiFpzquZw7UvZ2fwfHxDt6naVXpftq6FiSutI"
    "3mn+0YK+TflJSk8jpLzUYwLjm7LTmFvYU6vG/CIu070Q7HTkbM1c488uu9VfO4DtJ9eHS6"
    "C9+mWTXhtrL4nZu55tyFwdWS0Iq4LjK+UxYLNNvCeDmPZUy5P49qrSgZSPd4xo+qMJml3+"
    "yjqnRDv66Nszi0cJstjEl/T5r0xz0WhFLDsQDOjNU6TmADtHvvpidxcu+lt2xwAkwO1vAE"
    "mJaRvY8DYDDN9Wd4b4y54GrayM4FKPoHbbNza9KZb+1WSm9jNnNS198xmTlaN69zquZEMh"
    "Un3mq5OuwypNxbpS5D3mshbznN3IU8YJv52ic+U0kCLo0gpRmqIehk3tbjNZ/p8phx22q5"
    "GjNuW2QMzLhtBfmYcbvXmY8JoZgQ2vVZbsJRZcZZY5avER2c5fjNMcqPKD+i/IjyI8qPe5"
    "cfXRmEPmto6AIWBci2WbplAuRHLlhviwhp6/u1hEjHTzEPqpEf5IKYIS6z5yW8UgQ6IJTE"
    "3dmzBFTyWb7VC8cyik8ZWEytpgfq35JMZFxrJoqE/8njzsry4zNcD/XGVodAqDe2yBjFj1"
    "Jqs5+DIf2N6YcFsDb5GRBS35j6r3MqNNcb4tdK4rOQLjE/eHN0cnQ6fHu0InxVso3nDV+e"
    "oMS4/4nNwR+0fhHbtLBI6TMqKhybArSoGBjsCzTDNkZvbj7mgpbzywK/1/+6Or+4ff3GRi"
    "umEdcZ2lsWU3yiUcUxbZn6mjFFmGIejCk+QwJAwZlPjxeDo8aSnvvJqWjpiW02b4DHmQUB"
    "9Zg92KwcQTx67xgvtHo9w3ihRcbAeKEl9CerXG3+8zg0QGMDoIfbAiNgqsgTp4rgF+x72u"
    "bFz0yfIT8EP0DE/b1HjsV//B8zXcKX"
)
