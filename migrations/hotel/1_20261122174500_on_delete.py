"""Say what happens to rows when the row of core that they refer to is deleted: it is not."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Replace the foreign keys by ones that refuse the deletion at once."""
    return """
        ALTER TABLE hotel_charge DROP CONSTRAINT hotel_charge_order_id_owner_id_fkey,
            ADD CONSTRAINT hotel_charge_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE hotel_room DROP CONSTRAINT hotel_room_store_id_owner_id_fkey,
            ADD CONSTRAINT hotel_room_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE hotel_room_type DROP CONSTRAINT hotel_room_type_store_id_owner_id_fkey,
            ADD CONSTRAINT hotel_room_type_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE hotel_stay DROP CONSTRAINT hotel_stay_store_id_owner_id_fkey,
            ADD CONSTRAINT hotel_stay_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore foreign keys that say nothing."""
    return """
        ALTER TABLE hotel_charge DROP CONSTRAINT hotel_charge_order_id_owner_id_fkey,
            ADD CONSTRAINT hotel_charge_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE hotel_room DROP CONSTRAINT hotel_room_store_id_owner_id_fkey,
            ADD CONSTRAINT hotel_room_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE hotel_room_type DROP CONSTRAINT hotel_room_type_store_id_owner_id_fkey,
            ADD CONSTRAINT hotel_room_type_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE hotel_stay DROP CONSTRAINT hotel_stay_store_id_owner_id_fkey,
            ADD CONSTRAINT hotel_stay_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
    """


MODELS_STATE = (
    "eJztXWtz2zYW/SsYfak7o/Uochxnt53OSKk3dceWdmztbh/pUBAJSRyTgEqAUTRp/ntxwf"
    "dLFhVLpml8sU0ABwDPxePeiwv6c2fJBHFO3y2xtyCdf6HPHYpd+COb0UUdvFrFyfAs8MxJ"
    "ChpmUnDGhYdNIfPm2OFEJlmEm569EjajgBggx6YEsTnCiAu8+YajOXNsdorGMnm9ZFxmeh"
    "bx0BpzZGJqEschlirLkVgST1a6tsUSTacfmW0Ry8BiOu0iTC1kMp8KjihDLvPIKfTIYqbs"
    "kk0XT9G4T+0/fWIItiAAll34/Q+ZbFOLfCI8elzdG3ObOFZGBLYFFah0Q2xWKm1oL66o+L"
    "cqC682M0zm+C5Nyq82YsloDLCpgNQFocTDgkALwvNBKtR3nFCIkaCCziZFgl6mMBaZY98B"
    "2QI66ECS1jGM0Xhi3F1ODKNTkHuESEkjTDIZhTEju8oVAWoo/uOf/f7Z2UW/d/bm7fnri4"
    "vzt723sqzqbzHr4kvQmYStoCrF2dX7q9EEOsTkwAxGLSR8URgscIBSwkjYZ2vJmFFXBmnU"
    "w5KIeN8miighkUUyrVomjIR8mG21uU+BNPV7U68Wv/rjPoXS5O9N/r182yLxsAuX0x6Vz1"
    "EuX+RQlHc8xlyDE++jbZLOoch38SfDIXQhlvKx39vC6/8Gt+9+Gtye9HvfZskdhTl9lZWl"
    "GbuwURuuTZlXb5znkXqs7z3WTY8ARVJ9KorgR5kjbJeUCyGLzInACqGn0R/PUCBbuJ1c3V"
    "zeTQY3/4HqXc7/dBRfg8kl5PRV6iaXevImNzfiStD/ryY/IXhEv41Hl4pOxsXCUy0m5Sa/"
    "daBP2BfMoGxtYCvNSZQcJWXEHCvJdaWcAT6CkEMVVsv4cWQMZsv8PqU6Q8IMm/dr7FlGIY"
    "f1WVXZYpbbd/MpmOKFEhKwCf0MDNRbKe9O0W5Vyd0HrVYvKraDzbry5IYX2I2wBSIQGWJg"
    "00mrEFNkS8NvhqX1qArKipgni64JubfwBp3cMAq/bY5633alhanymTQ5qb1YCmlSLm1zKQ"
    "1Lysts1uM2rm3WRm+h2mZtkDAS8pViDMDaAsgjtRD2FkK45BX5v3Ox41RKIAXbi/yG6RYh"
    "92f9izcx2/Cwjd+7m8H1dZFQtUOUq27lVMaAbSrb86N0C3OgguVYU9vwPvZlDqhXglorQU"
    "N0Urmc3zCLOGWKaZy3g3Yqy+6qnULZ75QaSH13JtVCqesF8kc2hWMLxEXFeUgdqNYMGzz6"
    "tWbYKGGkTzPk/NnjOCNBafK1Wv6chRDsLHVONhLE8c42Dkn7gU805g4rUzWr+Y0Be9HbMO"
    "X80OxygYXP69CbII54NCffBNPneiZnc0PquPZHUrJIMwZvVqEnpnE5smcSeCi2Ix3yuLbm"
    "cDy+zpwKDK9yi+/ovzfDy9uTV4p6WcgWjTSQhg4z77dZSakC3Z1MJWMGiDoGE2K+AKd6EO"
    "8FPnGwdpQDg6O5JwtMp3Iie4IbjE6nyF8hwYJIL4gAk+iuLEGoFeRXGVeHaEYbYo3WfLQh"
    "1iBh5GyBvcwATf1X28DhAlfHl5wBfaU/uWliqOdQDlf/OuSlIC+aOo9gXsZctfKeIFpoHJ"
    "2f76K5n59Xq+6Qp0O5dJjPkS2GkTpYLDcWRtGh4y52QnxC+bCdMI5iZJT+Lh+ggi5aSHOT"
    "SiU9vEMCETXqQVkgp+gSm8sEFobsmJiiGQmhjJolZzEHb01bDY3WlrTV0CBhaKuhAdQ/Wf"
    "RJ0+ivp/I+yfWppqm9TzJg1Z5cm/o0SnP/PCN+JrLH2/zZSf6OaqoaATtpqQME98BA+1O6"
    "H+Zo4RMOIeGM3SNblDmmH0B8oB/odAoh5UYqJG06heCgTPC4clMrjzUKy2NLjiU+nX6HCG"
    "imc99TceoqWf60ODizP8lXCkpGNZ9Cg+wj8aALspsGdhy2hvvXQatLtkaS/014ExsuWAex"
    "7+pONsJeoC7LHKkiS9WXM8fKdlWrwE2fzVoFbpQwdARTI8hXvwvEbwmdCcu3MXDmEN7LdM"
    "9q0JyDtdBV3OvtFuXR2xbn0StEekAjgZJQpHv7NY0ssk1LymNc1QB2zKXtWB4pGcgPM5vG"
    "Ho/bXvOJTam1dXnNQfWQLWF278syZeg2MXxkPaNglNWTRim8NevIkWUhCTTA0K29jqdwx+"
    "P+VfNXmlLPQl12KytpzTB/DKpXjNvlynT1tccUpDVc9l+9vnj99uzN65jQOGUbq0VCdWj0"
    "iwmNvpNrd5UXOcnrPuhBjvaAh53H7wPHr02j0AEVRADUVoQqm0sChxXVkcpBAflQFhJ92O"
    "YCt3X64lbgPBZLrKIjoPogqAJiIpRrWOZizu0FJdaprE017mwkDCsHc/hJFVlo4RFiQYO/"
    "f4ZDxO4HmlI9v/wRfQN0OhVMYCd2mMsqbA9x34XaLbLCHsQ7qUBv1TGC4NMsjIYfYYGE0B"
    "fvkLlQXnGPwPfWMEgsfiO4r0uo8DaZS7rfSJTN1aumQByahtNP+PSphC9x0LDLXALfK5Wl"
    "oTq4s0L0F2CegZ6oveQNEob2kjeCfH3PtylCOHaoVNOc6E/DfEZHqCmAAlZPgb0FYfpyQX"
    "f32IRzQD0VvuKq0TO4rX3EY7zHvqqt7BOj7rF0FtVGog9xOL2SLNWiOQa070D6fJeRfF49"
    "ks8LI5m42HbqsBsD2sfuQYbvfqem+sC0yre+7/m+PtuvJDRwLxYJrb5kkMa86HsGseu1Pn"
    "sh6EXTl/IG1yEwB3vJ31kln1a2tF73uHicRep/L9C0e8dZk9qTW5dZEgxRrailMS20Nc52"
    "UNXOKhW1s7yaFp56FQn++W482nLTzinj17JNgf5SB1GH4rnz/dynJlCIZr7tCPjPBdDeD5"
    "3jTyegKDOTIp5Pbga/5EXw7no8zE8RqGCYE0jqDLGeFykHbJP+fOyweybqhd2H5VtoGR4o"
    "EJwz3ysLwtriqIsRLVzTH9+9Ef/7UmNWb/PM4do3pB+f6yi+os4emsY0YxOFZluzidoWcV"
    "dyVZZqoHFPas2AEmj7JsFBPH4zZm2MJebLMr2FYm9TEcufhuVjFTeC8OdH9jYNJBzB8XCX"
    "jA6vRoPbX+PxHptg1+PR+2HJiB/+Orkc6A9xvUSD2F9Ze4o5i9RibpyYnzQM+cvfsjWVGg"
    "=="
)
