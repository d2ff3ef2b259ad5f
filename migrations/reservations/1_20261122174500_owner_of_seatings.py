"""Keep the owner in the constraint that seats nobody twice."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Replace the constraint; the owner stands as a range of one, as the table does."""
    return """
        ALTER TABLE reservations_seating DROP CONSTRAINT reservations_seating_int8range_tstzrange_excl;
        ALTER TABLE reservations_seating ADD CONSTRAINT reservations_seating_once EXCLUDE USING gist (
            int8range(owner_id, owner_id, '[]') WITH &&, int8range(table_id, table_id, '[]') WITH &&,
            tstzrange(starts_at, ends_at) WITH &&);
        ALTER TABLE reservations_reservation DROP CONSTRAINT reservations_reservation_store_id_owner_id_fkey,
            ADD CONSTRAINT reservations_reservation_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE reservations_settings DROP CONSTRAINT reservations_settings_store_id_owner_id_fkey,
            ADD CONSTRAINT reservations_settings_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE reservations_table DROP CONSTRAINT reservations_table_store_id_owner_id_fkey,
            ADD CONSTRAINT reservations_table_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore the constraint without the owner."""
    return """
        ALTER TABLE reservations_seating DROP CONSTRAINT reservations_seating_once;
        ALTER TABLE reservations_seating ADD CONSTRAINT reservations_seating_int8range_tstzrange_excl
            EXCLUDE USING gist (int8range(table_id, table_id, '[]') WITH &&, tstzrange(starts_at, ends_at) WITH &&);
        ALTER TABLE reservations_reservation DROP CONSTRAINT reservations_reservation_store_id_owner_id_fkey,
            ADD CONSTRAINT reservations_reservation_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE reservations_settings DROP CONSTRAINT reservations_settings_store_id_owner_id_fkey,
            ADD CONSTRAINT reservations_settings_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE reservations_table DROP CONSTRAINT reservations_table_store_id_owner_id_fkey,
            ADD CONSTRAINT reservations_table_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
    """


MODELS_STATE = (
    "eJztXF1zmzgU/Ssav2w642YcEifpvjmtt/VMEncSdrefg2WQbU1AokjUYTv97ysJY76MbR"
    "wnIQxv4eoeIZ8rxL3SIb9aHmLI+wk5poQd3sQXV9RCdutP8KtFoIPEHxs826AFXTfrJ80c"
    "ju1cB0biQmHHjHvQ5MJvAm2GhMlCzPSwqzwEugcSEEAnAALVM6Ce+JNxGBzKjixqip4wmW"
    "6J+Ua+kdFIWQ3iO2PksdEIQA8BPkNgYQGQycsAzJFomM+wHTYne58h21JG1Rc7BKPRmFqB"
    "MYNsJnpkMzpnAoqEi7j5N+IhF0EuBzUaYQs5LuWImIFxhwLhPgvvCJggH8h+ZH+mzzh1kG"
    "dgS7hgMSwCsCW7kK6u7U8xSbiJH6Io8Qn+4SOD06m6uSDm63dhxsRC94hFl+6dMcHiN6Ri"
    "ji3ZgbIbPHCV7QJPB4T/pXwl4WPDpLbvkNjfDfiMkiUAEy6tU0SQBzmSd+CeL0NMfNtezI"
    "4o6uFgY5dwlAmMhSbQt+VEkehwALGtZRjXQ9247euG0cpNogiRmCMLkynmpJiAYqhMETCV"
    "Q3j9RtOOj8+0zvHpeffk7Kx73jkXvmq8+aaz3+FgYrbCrhRng/eDa10OiIpZHj4O0vBbYS"
    "CHIUoFI2afzokKdrkYJFGbIxHxvi4UkSGORfyM1iwYMfniGfJQafKTqIb8ncm/E782T/zb"
    "GfRW0x75ZygXP+QlUu7Ae8NGZMpn4vKos4bNf3o3bz/0bg6OOq/SlF4vWjTVlJ3ZkPusDL"
    "0xooYEa9sQrBUTrOUInvqIcUNdlSA5jaoj0d3uNkx3u8VUy7Y0165gqRTNS8BODC+SkGoS"
    "3N1mJneLZ3I3N5ORA7Fdht0loH7sPsr0TaT05RKNDHCnXKNqdD9LquFCjwcGw/+tWEVuHW"
    "jbhSFII+uU7R1rZ6dL0uXFOppvr3qXl6vyZ0EPMyDP0/pOEMKxgwqTjRiYYdVaIA+jP14g"
    "x2uo1AdX/Vu9d/VRdu8w9sNWdPX0vmzRlDXIWA9OM+vNshPw70D/AOQl+DK87is6KeNTT9"
    "0x9tO/tOSYoM+pQejcgFaSk8gcmdLvB2LtEuIErAlwpQOc2hjLh7nneTBYHeMcMhNpG7OX"
    "uEKuC27/k/71e2YZJJSveLHo6L7gpRL51yF/2sBV6hmIsqSDq96nV6nn4HJ4/T5yT2RVby"
    "+HF9lXDvU9s1QxECNqWG/tvxwwITGRbSPLGAdlaM7i6jC5H3uXJnMmUIbuFdD6Mf4o5djy"
    "xGZVMUagV/CuS8EyVI8DjtjLI3tdXSVX3uTaLRi9GFz3bj6vXrwj/2RucvFZ7/eyq4uHJD"
    "075JNpZJNSVjql9F1rxzCnkU2YKxdmeY48uUucZUrDGJp3c+hZRq6FarTIN9/kaE7WAgmc"
    "qiBJNuU4UxKFW7EmhGQXaBgih3ZJ6QJL4LaQLYSKAyUPGAcAJkUDh+AdspGYnoCKBCknKc"
    "AMmNRxlUcbLJOoUL1A6GupKVgleniCOzaagkpvbzaaggoFY+XyUzoEeWwTiJ0DEW5OlQ1B"
    "EtWQ/wBlTXMyUMv0rzkZqHmAK5bfc5mGs9aaBH/hUT7DTwA3pvh6JomO0KHgWCkC81n6Ni"
    "CpTVZ+dA7ErSmQ7ihSIwObmndgIlNzxvCUCHQoGZbYP9hCh9wGkFgqrw/3SKQEWeT5XJom"
    "2GMcEIQsZB1KGbQJXWhieagtfFmoMZZdOvAeO76zkEPLISqxkhgJF3WEKCPE49hWUVqMRy"
    "BIEI0zHAiQfTa1Q/Vf1E3tUKFgNHrkSpCPRVJimsiN9n0yAaDURpAULEEZaPZ4QGCfMgzL"
    "VWvvpwLD4WUqd7kYZI9s/7666N8cHKmkRThhXlSd+R4xHEz8xclJGVFWFvu8k/5N58EzfS"
    "9aLJvyXQnNYp+X0KNuJQiVJ5G7Cwfz6OclVavGLBWTTFQbHJuoeK4Wc7oS/Ly8PpxW7ejk"
    "7OT8+PRkye3Sso7gPLfpzL4Er3lgjaTGD6K3UsWwLnne8M1uwqddsiAOre0yB16JOhYMiR"
    "1EZeDia1X1YetoBEVVuvje1qTOGBNRoaoSEtjQmyKglsniM65936QpTSudkDelaYWC0ZSm"
    "lSA/3JPLU18sD4wRNRS97v9rzoKMaUPV9KBsqXIU7y/Jl+/iMpM18q+fgPWos51meJ1oOK"
    "8alrtNHP9cUZNu3qWKcE+4RRVlKk+sYN3fXpVLGY7+ic2WJVUS8nTLQ+dx14b9VaqNCrg5"
    "Pn6Eivn3//qJ3eg="
)
