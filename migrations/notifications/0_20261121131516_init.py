from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    return """
        CREATE TABLE IF NOT EXISTS "notifications_attempt" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "owner_id" BIGINT NOT NULL,
    "message_id" BIGINT NOT NULL,
    "number" SMALLINT NOT NULL,
    "transport" VARCHAR(100),
    "error" VARCHAR(500),
    "duration_ms" INT NOT NULL,
    "attempted_at" TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE "notifications_attempt" IS 'One try: ``error`` is null where the transport took the message.';
CREATE TABLE IF NOT EXISTS "notifications_message" (
    "id" BIGSERIAL NOT NULL PRIMARY KEY,
    "owner_id" BIGINT NOT NULL,
    "store_id" BIGINT,
    "number" VARCHAR(40) NOT NULL,
    "purpose" VARCHAR(100) NOT NULL,
    "once_key" VARCHAR(200),
    "channel" VARCHAR(10) NOT NULL,
    "address" VARCHAR(4096) NOT NULL,
    "subject" VARCHAR(200),
    "text" TEXT,
    "html" TEXT,
    "is_secret" BOOL NOT NULL,
    "status" VARCHAR(15) NOT NULL,
    "attempts" SMALLINT NOT NULL,
    "transport" VARCHAR(100),
    "error" VARCHAR(500),
    "next_attempt_at" TIMESTAMPTZ,
    "leased_until" TIMESTAMPTZ,
    "expires_at" TIMESTAMPTZ,
    "created_at" TIMESTAMPTZ NOT NULL,
    "finished_at" TIMESTAMPTZ
);
COMMENT ON TABLE "notifications_message" IS 'One message to one address.';"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        """


MODELS_STATE = (
    "eJztml1z4jYUhv+KhqvsTJphHQjJ5oqkdJeZEDoLbXe26RhhC6xiS15JLmF28t975A/8hS"
    "nObFLCcJUgnVc+fo6Q9Vp8bzCu6IxaWFHO5FlXKeL5qvEBfW8w7BH4pyLiFDWw75f6dbvC"
    "U7esNHFGOZVKYEtfZ4ZdSaDJJtIS1NehWjpkBCmx+oAmEyIEF5MJohKxwHXR0iECOh0dgJ"
    "n0uVBIcb4ImzwiJZ6TM30Vm1twGcrmP2rAgNFvATEVnxPoEjDsn39BM2U2eSQy+egvzBkl"
    "rp2DSG09QNhuqpUftt3QeZ+pX8JYne7UtLgbeCyN91fK4WwtoCykNyeMCKyIvoISgaan7y"
    "OmngCNkk1DoiwzGpvMcODqGmh1lEDa1jDN++HYHPXGptko1SdRZAjHTRaUGjBCqjIEMNcp"
    "/HRlGOfnHaN5fnHZbnU67cvmJcSG+Za7Ok9RMimtaKiQWf9j/36sE+IwgaJpphueQg1WOF"
    "KFxUjp8yUQM+vWIKv670ok3LeVImlIa5FO/wMrRgo//gbVxp/XHQvw7AKwwJvCalWCP/Kw"
    "61biT1WHhP7c6FysYesP2/COBt27uzLP9VOijPTWwWIzzpyoQBTy3IFovGzvDVAPP5ouYX"
    "PlwMf3zeYWkL93P99+6n4+gah3+dl6H3cZUV8edPigrgN5LTg8wO2dALe3AG6XAduBCDdn"
    "pifLmCtXhoLqkJYH432r07o8v2it14h1y7aForxGxJtdYsO2t4z2ZwCjqEc28y1qC4DtWH"
    "yW/PMGcW9hOe4PeqNxd/CrHt6T8psbEuuOe7rHCFtXhdaTi8KsXw+C/uiPPyH9EX0d3vdC"
    "nFyquQivmMaNvzZ0TjhQ3GR8aWI7yyRpTpqe9D5/tsjsNXXDFFuLJRa2WerhBq+KLXd5hl"
    "dswQw2QnZMU+eZ92QjxQWxB9F+qVHt3fJxp7UdnJdR7uTgYgG4KcThI0AF7nKzOauIfWAP"
    "bDKJNiORZ8MIHqU29xC1waFhhQSxCP2HCIkkgUS0a5Nw/wi6CLYcFH+fzsD6+YGA8hMYSO"
    "KVBOcHMVTpUWdcnCIZ6HCpr2gFUnEPBj2zuA2Ca1BzZhFzQVYgd4kKMyE+0d86ZOFAErQU"
    "VBHEOCQCE95em0c01uaSPCrEZ6CCXkHU+o4pXHCu7xmMKMuaTp2XJAxUAs3hDhkKfH0XDE"
    "ZK7DT8jbBIGHHpUJfEN+QTZgNenbdLsITVJGCKusmtO3z5wFzO5hEvCCYiwulwmHp6EA+v"
    "kMILco2WVDkwTnxJOZlElKOqQJwNI3CYCIAQdIq4rmYLoAGQhIUDWRwurovZnSlQgAd/9C"
    "n0xdmHCcNcQ0vYIDlhNpC6vtX1tgnCLCwEBdZUXedd/NJZhfm4WKqk2pANsLCPvn3/ncrR"
    "t+9RMVL4Uj8tasPPqp4Ff9924Xtl2autT6Vd38377N2Uz5mf1i7ep1VtfVol5xNvBOoQzk"
    "gOEPGLGPhkw1QHc1ZzeDbe2AmzsQWzUcZsOZgx4tahnJEc5GTeaS5vmcpFxLEdqYM4IzlA"
    "xK3m1cVOi/JV0Ztnl2XdWdh1BNO/iVXr1WpGclwwdlowtBUtEx5Da8XL6zj+EPBue/XU+z"
    "LOvXVKIJ4Mul/e5d483Q3vPybhGei3d8ObAmtHeRtW5mrWSfyRdX3WVJrRu5UNnoVzl2BW"
    "4dqzugL4KQhfarVet7wu+5vh8C7H/qZfhPvb4KYHj8iwEBBEVaVJxCqo9VhMFa/3VGzEL8"
    "Mar7P7aO+y+2hX7z7apd1H/OKt7hluVvd6b0KaL0X5eIT75hzg8Qj3hY9wC2cBdc8aN8h/"
    "wHHjnpXhrZ82ZuudPcupW+yi9ljpfa50ekRWt8555bHK+1xlcB34eT8TySuPPxLZ6zLPKK"
    "PSeVadC9Lj13nf6vy//hjo6V/Iouc4"
)
