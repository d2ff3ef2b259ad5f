"""Say what happens to rows when the row of core that they refer to is deleted: it is not."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Replace the foreign keys by ones that refuse the deletion at once."""
    return """
        ALTER TABLE payments_credit_account DROP CONSTRAINT payments_credit_account_store_id_owner_id_fkey,
            ADD CONSTRAINT payments_credit_account_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE payments_credit_entry DROP CONSTRAINT payments_credit_entry_order_id_owner_id_fkey,
            ADD CONSTRAINT payments_credit_entry_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE payments_driver_cash DROP CONSTRAINT payments_driver_cash_store_id_owner_id_fkey,
            ADD CONSTRAINT payments_driver_cash_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE payments_driver_cash_entry DROP CONSTRAINT payments_driver_cash_entry_order_id_owner_id_fkey,
            ADD CONSTRAINT payments_driver_cash_entry_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE payments_gift_card DROP CONSTRAINT payments_gift_card_store_id_owner_id_fkey,
            ADD CONSTRAINT payments_gift_card_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE payments_gift_card_entry DROP CONSTRAINT payments_gift_card_entry_order_id_owner_id_fkey,
            ADD CONSTRAINT payments_gift_card_entry_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE payments_payment DROP CONSTRAINT payments_payment_order_id_owner_id_fkey,
            ADD CONSTRAINT payments_payment_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE payments_payment DROP CONSTRAINT payments_payment_store_id_owner_id_fkey,
            ADD CONSTRAINT payments_payment_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE payments_refund DROP CONSTRAINT payments_refund_order_id_owner_id_fkey,
            ADD CONSTRAINT payments_refund_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE payments_refund DROP CONSTRAINT payments_refund_store_id_owner_id_fkey,
            ADD CONSTRAINT payments_refund_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE payments_refund_line DROP CONSTRAINT payments_refund_line_line_id_owner_id_fkey,
            ADD CONSTRAINT payments_refund_line_line_id_owner_id_fkey
            FOREIGN KEY (line_id, owner_id) REFERENCES core_order_line (id, owner_id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore foreign keys that say nothing."""
    return """
        ALTER TABLE payments_credit_account DROP CONSTRAINT payments_credit_account_store_id_owner_id_fkey,
            ADD CONSTRAINT payments_credit_account_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE payments_credit_entry DROP CONSTRAINT payments_credit_entry_order_id_owner_id_fkey,
            ADD CONSTRAINT payments_credit_entry_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE payments_driver_cash DROP CONSTRAINT payments_driver_cash_store_id_owner_id_fkey,
            ADD CONSTRAINT payments_driver_cash_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE payments_driver_cash_entry DROP CONSTRAINT payments_driver_cash_entry_order_id_owner_id_fkey,
            ADD CONSTRAINT payments_driver_cash_entry_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE payments_gift_card DROP CONSTRAINT payments_gift_card_store_id_owner_id_fkey,
            ADD CONSTRAINT payments_gift_card_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE payments_gift_card_entry DROP CONSTRAINT payments_gift_card_entry_order_id_owner_id_fkey,
            ADD CONSTRAINT payments_gift_card_entry_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE payments_payment DROP CONSTRAINT payments_payment_order_id_owner_id_fkey,
            ADD CONSTRAINT payments_payment_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE payments_payment DROP CONSTRAINT payments_payment_store_id_owner_id_fkey,
            ADD CONSTRAINT payments_payment_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE payments_refund DROP CONSTRAINT payments_refund_order_id_owner_id_fkey,
            ADD CONSTRAINT payments_refund_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE payments_refund DROP CONSTRAINT payments_refund_store_id_owner_id_fkey,
            ADD CONSTRAINT payments_refund_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE payments_refund_line DROP CONSTRAINT payments_refund_line_line_id_owner_id_fkey,
            ADD CONSTRAINT payments_refund_line_line_id_owner_id_fkey
            FOREIGN KEY (line_id, owner_id) REFERENCES core_order_line (id, owner_id);
    """


MODELS_STATE = (
    "eJztXVtv27gS/iuEX9oFfII0lyZn98nJ5nQDNEmR9V5PDxRaom0iMulKdFNj0f9+OJRkXX"
    "yJqDQ1rcybTc5HUt9QFGc4I/3TmdL5hAkV751HLOCq5/tyJlTnR/JPR9AJ0z/WiXRJh06n"
    "RQEoUnQQllCeb1AeLcAGsYqoD70MaRgzXRSw2I/4VHEpANwfMxIrGTGSoIkcEin0v5kunb"
    "BoD5oJpK/b4WJUGzET/NOMeUqOmBqzSOP++z9dzEXAvrA4+zu994achUGJBB5AA6bcU/Op"
    "KTvjo0uh/mNkYTwDz5fhbCJy+elcjaVYAHhy/SMmWEQVgx5UNIPrF7MwTJnLKEkGm4skoy"
    "xgAjaksxBYBHQygLys43nXN33v14u+53WWGM4QBQrTIl8K0A4HfQIBIxjCv/59cHB4eHKw"
    "f/j29Pjo5OT4dP9Uy5rxLledfE0Gk7OVNGU4u3x3ed2HAUk9BZKpAgVfDYYqmqCMMnL25Y"
    "NmzLPVQRH1uCYy3jepIivIdZFP4JYpIyff3FbW5BdRSH5j8rP1y5r/ChBV8AQVRBET/nyZ"
    "//Mxjdaxn2Mq1OsL2kXqJ/SLFzIxUmP993ADqb/3bs9/6d2+PvyhTOx1WnEANWWGBzSkwm"
    "fehAsZ2U3zJej3m+j77ZrlEQN+PKqWFfCzrlF8wtbM9RKywn+QQveyHzs49zdw27+8uvi1"
    "37v6AM1P4vhTaPjq9S+g5sCUziulr99W7oxFI+SPy/4vBP6Sv2+uLwydMlajyPSYy/X/7s"
    "CY6ExJT8gHjwZFTrLirOgrbGqH94WNFRQMqH//QKPAW6qRB3Kd7HLV5GBSLaGCjoySgE0Y"
    "Z8WAuBAqmnc2WBiJgKV9wRagR62LG7ALxlSMGFgJdGEjvIpLJsSykWEDRFvD6YUPbQ2HlJ"
    "GTf6+v1maflcm3cI/1Zr/GJuvN/tpdFlSVyaUT8MA02WVVkTjDG8/w3dzrtk4NMgqarPIF"
    "VCPy08fpy+ZeSMVsFvlMvtEi7xrjpTX+eL/OIq+l1q7ypq6yzPtq1cqynt8FoIVP0eN6BG"
    "/gt0ovD9hkqmek8OfePbPyCq2Atm9OHxwf16BcS63l3NRVnpoymHtjGo9XrdeCRvM1T8wi"
    "rEL1YK5YvHtkb1p939+clfwQmtGzy+ve7V+vr3p//lByRry/uX6XyRd9DGd/9S966Bp6Ka"
    "6h8nPDnNBab4rKONyTWu2LnPHN/Rzxzyw612ulcb9dyYCFnZVOupWS3ZreusCAPV+jm7vs"
    "1Fj/0y3oH1QRSpJGyVjqS33Ma/coFh13Dt8uXXTcuaSMwh4BbmjrM+ochNSjzxR9pu7TjT"
    "7Tl6sG9Jluj/t0A23NfhmH/DflP2LDmQis6S/BkP2m7KNL+1ld2ujgW0v9rjv4HPQv1XIt"
    "NfYq1fMn9TMvUJomkoRvVVxCNCZ6pofM17OVUBEQIZUu1RMxIFx0yQNXY+NPSgCvYhLSWJ"
    "F7zb8gcG2r01S+U7/ox3L64YZ+LIeUgckuTpCfLuO27JdgSP9T6Td/LfbaFVgLd9zPEtKA"
    "aUWYVoRpRWhaomn5VNPyHR+qc93OhsSiski3plk50ihtVOoRPiG7CBoh0Ii209Jl5fHMon"
    "UgNOqcXvfQqHNIGXhCjifkL2WG7+ZWt3VqwBPy7XGPWUWYVbS7R7CYVYRZRW76IjCryCVt"
    "7IRnqBwYHtmHTRVAuBvdzXyizOO2IdqjLNK1dcrVc8f1cl9aKeiiS+Kpbo8M5oSKORSbsA"
    "quIPgiYHvkRoS6CqIxxou8IV1BePqyn2DZi/fMfaHzz+Ebr4vOP5eUgREdTpC/1deXOrbH"
    "3pIG9HOkgY1TgjW0cVy7BbZh5ACNEJ15ZGPRl1Et9J8c1bDlj9Za8kdVOz5WVM1iG4ZzRA"
    "vZ/fZnPBir9NyxSlxwxWnY5ABnCYr7lRd2jtaukDE8yHnWgxz2Zcr1jqWB37WM/AZ+V8fI"
    "b5PbFc+T8DzJzVvpuUwtHsezRsdJJSCeJjm3rDlzpPEh+bHhRKMk0a15oJH+qHecAYHCem"
    "kOWGQChQUxwUOrA4pXyH0UH8XdXTHw7u6OmNf3xURJICk2pw9G+hWUKaqn1N2d4tNcXl82"
    "kUJXTqEq0vBAd7uo5zF5gIxWSHT9KLJqotXMAg2CDia6B/1T3uvRDfegfTNWfRsWGim/qu"
    "2BxlkSrPzMoiQNVs7URwFyenxdkyt7d5fEUS8aMq2YIugneSFDoR/Ith0wJkhWkx3AJCR1"
    "YaB6LHSgu4LBD1hK4kivAA907mkcA0OX5YOeRvIzTwjki/b8MfPvdSPdZIiRHmIRupCCmp"
    "+MjJbXq1JGKNO9UjJlCZnppIEqI6jHLdgXBZe4SIfLB5RmFj+MZSGzOMlDFkTPVaid4xmT"
    "+1YSnjE5pAw8Y3KC/C0F3SL5UDLRjwlplVyRI9roFa7jsDlc7685XHLX4NkG5q+0fxlZmB"
    "d2GijB0N/e8NV2JfvNTgHLWNRCwzugZABb3gZLWIyXaRwvU/Ae2GmhisQ74Smv2mx2Jyxj"
    "UQuNtZD4pmy2niUQHhrVew/QNhIkXKN5S2+V3doHb5B/XbLkQbdZalaCccmpt+RUjh9seF"
    "+FRdpr0Q4fB4+Yr7xZFNo9Vcu4FtK9f3Rah28ttp5wU1llXM0iYc93EdVCtp9jcnPocObD"
    "yKy8lVVcC+nerxXGB2IbJvdyIN+Q8nAWWS3eBUj7eMZoSQwr6jZMUk9jLWx1XMShhl3W8N"
    "ZeLe2YTvH7LQ48p/DlQS3Y8GKwN748yMXFpk1P7SEXPB430nMFirsz1/TsTFj/rTkzfM8F"
    "66wM6i/Ud2uG9Kef/QszTK3vUS0C0D/NqFBczYuR+wTaSiLcH8YmNJtwE/2ttaAkxH+v/t"
    "jUt2gUY8Kd3mZjTLhDynDgi6FIP5TA0mZNfgGE1DemPnvULHO/lvgipE3MH7w5Ojk6PXx7"
    "tCB8UbKJ5xUeFIxS3v7E5rCzS3dGK5QgZcioWJdkXIZWLX+N3UE1bGL05uZ9yfw4u6zwe/"
    "3b1dnF7es3xu7QQlwVaHfMOtiQ81sUsLMP6pkGvXQPX9y4Q35oJYk3zfSMmJ4YsflwrKkn"
    "IYvTpFQaQZIvpNLCMeDq95c+Z1doRji9zKEZ4ZAyMLXUCfIxtXSrMx8zHzHzse2zPGI01u"
    "O0mOU5ooWzHL9dhOEHGH6A4QcYfoDhB1sPP/DlZBqyhoquYDEAwTVNO+Zi/EAj1dngYTT1"
    "XbsAhGmGqRWAANLJ58dTN6Dx4I0kg2+Q+/fw9jv4dlHayep4gwZtoF/QaVMF/YIOKQPDCx"
    "yhP13ArPkv41ABzVMK0Hm1fSWgi/aZXbT4ioQtuVcwufY7+GUx7RLt6m9sV3/9P4dEnTU="
)
