from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    return """
        CREATE TABLE IF NOT EXISTS "florist_day" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "owner_id" BIGINT NOT NULL,
    "store_id" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "taken" INT NOT NULL
);
COMMENT ON TABLE "florist_day" IS 'A day of a shop''s for which gifts were ordered; ``taken`` counts those that stand.';
CREATE TABLE IF NOT EXISTS "florist_occasion" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "owner_id" BIGINT NOT NULL,
    "store_id" BIGINT NOT NULL,
    "recipient_name" VARCHAR(255) NOT NULL,
    "what" VARCHAR(255) NOT NULL,
    "month" SMALLINT NOT NULL,
    "day" SMALLINT NOT NULL,
    "remind_days_before" SMALLINT NOT NULL,
    "remind_at" TIMESTAMPTZ NOT NULL,
    "phone" VARCHAR(50),
    "note" TEXT,
    "order_id" BIGINT,
    "created_at" TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE "florist_occasion" IS 'A day of the year on which somebody gets flowers.';
CREATE TABLE IF NOT EXISTS "florist_shop" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "owner_id" BIGINT NOT NULL,
    "store_id" BIGINT NOT NULL,
    "deliveries_per_day" INT,
    "days_ahead" SMALLINT NOT NULL,
    "remembers_gifts" BOOL NOT NULL,
    "remind_days_before" SMALLINT NOT NULL
);
COMMENT ON TABLE "florist_shop" IS 'What an owner decided for a shop; without a row the installation''s settings hold.';"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        """


MODELS_STATE = (
    "eJztWlFT2zgQ/iuavJTOcAwNhHDXpwC5NjOQdCB37fS4EYotxxpsyZWUhkyH/34r2U5sxz"
    "EJd0xDzi9gr3Yl+dv17qd1fjS8QEim9MEFmTV+Qz8anIQULnLyfdQgUZSRGokmoyCrid1E"
    "c6S0JI6GIY8EioLIpcqRLNJMcGPQQaCKhIcIUr6I3ijkCYmmPnN8NGaeVmhKJUVCuvDPfY"
    "/u7jS5p/zuDjliwmFY+0JR+Es0Uppw98Cs6woHFmZ8/HJLTDj7NqFYizHVPpWw0F9/g5hx"
    "lz5Qld5G99hjNHBzcDLXTGDlWM8iKztj4x7Xv1td8wAj7IhgEvKFfjSDffC5AeMW+THlVB"
    "JNzQpaTgzCfBIEiT9S0OPNLlTiXWZsXOqRSWD8ZKzjDSxkDYz7gyG+6Q4xbiz5MLXIYJ6I"
    "HMGN/2GrygIwNlv45ddm8+io3Tw8OjltHbfbrdPDU9C1+10eaj/Gm1mgFU9lMet96PWHZk"
    "MCgiwOQCN4tDZEk9jKOmOBvpgCYnhTH2StnvZEinuVK1LBwheLV2THnLEAX2kh6cbgZ61q"
    "8J8NfpKU87hfAGrlqCfqBcDhvaKahfTAXLxC6CtQvOgMuwXIbCVYBm1lpM71dylMm++O28"
    "enRyfH8+icS6qCMg5AUwW9+0wmNoIRce6nRLp4aUQ0xSrd5aGwGRYlhJOxBco8kdlcyl0G"
    "jkNU/PzLxGY+uB67EVn19SkO8AQ0o0QiwRP6oURIR8KdISARQEsCAUxEVTCYdWe45bfAXy"
    "QNIXAw0UBlGLAcn3LEQMvWMiPRInARpw/6AEiP5T+QZGNls5IhRzHtYRpNiUIwIQ1HhiUh"
    "T4pwHwEZyghvueAORT7s4TssIDwNC8b2CvmwbRdkNXna/pJRk6ctckZNnrYCfEkdFjHKNb"
    "aSJRec+0SWO2DZsuAGeLjX6IaQPOCA8rH2DSNotSog/rNzff6xc70HWm/zQPeToWY8lsd8"
    "CrVjE6RT/Rrf9fANBYfJlwC+CUkQrMwnc6NdSiZHzfbJPH2Ym6qEcXPVubxc83hVjWX5Ee"
    "t/j2RCXAEdhUfUg/q1KbDlM9Q4l+JclmQvkmN+Jbyl2TbXIDAXrxDjCiiHvavuzbBz9clM"
    "Hyr1LWgkrQMz0rTSWUG6d1LIyvNJ0Ofe8CMyt+jroN+1cAqlx9KuuNAbfm2YPZGJFpiLKS"
    "ZuFpNUnIpyTo7AORvxlbnBs8pocibaFk/mq2jrcI0i2jpcWUPNUP4V4kKXgDuEM3U5uKn+"
    "LmBb9ZZ0vwxzL0iK4d5V58vb3EtyOeh/SNUzmJ9fDs4KWKcdig0PnxmrZxWALUP95xx/HE"
    "kNQs+oFXnLulhsXbHYlg7tjS+iRll31g7sr9WZVanqk13Zz6YvSXjSDHXhjO6atqaQyWfi"
    "92jKIFQnoISkmNqGKAO/A+skZo43CimqNQSGQr4ISr47v8gKded0qxNm3TndImfUndOtAN"
    "+lAftOJaMKRxDMpW2S1R2SUuMd4nH/6uNqof2kMPEpKYnyJ7tQGctdivT/qEliv28qbH8s"
    "VpJChAgo4Ss7JUXrAsAjMH+FCFelhcHgMkd4z3rF090fV2fd6713lumCEtMrv7rUncCXCv"
    "Kfyvsf/wGfg3Zi"
)
