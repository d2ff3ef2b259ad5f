"""Say what happens to rows when the row of core that they refer to is deleted: it is not."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Replace the foreign keys by ones that refuse the deletion at once."""
    return """
        ALTER TABLE drawer_movement DROP CONSTRAINT drawer_movement_order_id_owner_id_fkey,
            ADD CONSTRAINT drawer_movement_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE drawer_movement DROP CONSTRAINT drawer_movement_store_id_owner_id_fkey,
            ADD CONSTRAINT drawer_movement_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE drawer_shift DROP CONSTRAINT drawer_shift_store_id_owner_id_fkey,
            ADD CONSTRAINT drawer_shift_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore foreign keys that say nothing."""
    return """
        ALTER TABLE drawer_movement DROP CONSTRAINT drawer_movement_order_id_owner_id_fkey,
            ADD CONSTRAINT drawer_movement_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE drawer_movement DROP CONSTRAINT drawer_movement_store_id_owner_id_fkey,
            ADD CONSTRAINT drawer_movement_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE drawer_shift DROP CONSTRAINT drawer_shift_store_id_owner_id_fkey,
            ADD CONSTRAINT drawer_shift_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
    """


MODELS_STATE = (
    "eJztmWFP4zgQhv+K1U+sxCEodOF2PxWW261Eywqqu9s9TsFNJq3VxO7aDqVa8d9v7CRN0r"
    "RcU8Gp9CIhkdrzOuPHY8f2/Gx4kk5BHnTFA4TAdVd4EDQ+kJ8NTkPAh+UG+6RBJ5Os2hRo"
    "OghyCidMFNZ4oLSkrsZqnwYKsMgD5Uo20UxwI7qgakT0iGqCEpDgEUrihvaJkCQAXxOGfz"
    "65v6ehiLh2QsaFvL8nTBEOQ6rZA3wkU8m0Bk4Ed4FQ7mHVA0jijigfgndgnPGEi94wPvwP"
    "33vH73ibTOjMEDENS/AjtJoyPRKRxsbViPnaYV7ccMSpUmzIwftAuEg8Iq6IAo8MgHiAvq"
    "If2DJKPYkuyLlWj9DAFt3x6UgQdMHDfjFua1zssMUQcfYjAkeLIWC5RBh//Y3FDI0fQaU/"
    "J2PHZxB4hZhgnmnAljt6NrFl52zY4fo3a2sgDxxXBFHIM/vJDPvK5wIWh8YQOEiqwbxBy8"
    "iEBo+CIAmmNFpiZzOT2MucxgOfRoEJMKOOHcjKGo7Tu+47t5d9x2mUgi9V5OIiKXIFN4GL"
    "rioLYGhc+OXXZvP4+LR5ePz+rHVyeto6OzxDW+tvuer0KXYmoxU3ZZl1Pnd6feOQwNkRzx"
    "5T8GQ1VNNYZQcjoy+m3I52tTHIq/59JFLuzw1FWpCNRTa3d2wwMvhKCwmV4edVNfzN4Sdr"
    "ZEX4OdVG8JMl5v/Nfoy9LXO/GFG5nHpqv0AcO/IWwz2kj04AfKhH+LN5+AzN39s3F1/aN3"
    "vNw3dFpL2kpmmrinDzO4tqwb2orFeXjSNcSG+T72pOVa8um7JPdsaV6Rd1Nf9N+cfHkcr4"
    "C7Ka/qb05we4avQLspr+pvSpq5d9dVdvbeaCHdzbtNbZ27RW721apb0NFxqq0E3tN4K7bQ"
    "G9wHY9uM/RLeEdCDEGz6G6zPgTctIshOWcC8IF2F6iPEgf3mBcP4O63+le3vbb3a+m+VCp"
    "H4HF1e5fmpqmLZ0tlO69XxiVeSPkj07/CzE/yffr3qXFKZQeSvvGzK7/vWF8opEWDhdTh3"
    "p5JmlxWlQYZOZBOMF5wd2ZM4ZZlem0RLp7M6vZaq1zJGu1Vp/JTN3izPJmzoiq0bKvMqdy"
    "tmpe5WQLqAczjX69OdjPfWKvrs8LswiJnnd67Ztve932n+8KU+nquvc5tc/PkPNv/cs2wj"
    "f3zf44d+dpCgbUHU+p9JxSjWiKVbblqrAZLpZQToeWpem07WKc6rg190UrEyG52v01siD2"
    "8mm9FEg7veb3pQiJmADHMSFamGt/rvH5gMxNML4I1SREikRwsNbEvquc4nihdk0K4wZcPO"
    "8aOSVpfsdmO9xAKNvqCGJzEgh3TJhWRIqpSVLA4wRcDPh8+sRaR+iTbx/TFtV+mk4xCQzg"
    "uVZRZF4F3keT92C+DxJXNsg3en9v+5V7E/6PlE3yHJA+NoXLoLJem1kKiuASiRz8GZEwAa"
    "rVHU8ckoDTT+lYa1mY/FDSXZNS0XUmZft3+nUmZYsGo86kbAX87IO17j4yU9Sn3jVOvW4k"
    "zZep0lY9r9lByMdrMD5eifh4kbDSVEeqCt9MsYN0j9YJ4aPVIXxUCuF4v+MMKsVwQbSDmF"
    "9+pUiIVb/AKQjrC5ytvsBJTl2OHwi6UZ53RQP1FmjjLVB8hqu4vBVEu3eP9gr7oBhY9dWt"
    "IHyB1W3LuO/S4la82lky0OCykAbLx7ksXhzsWH2QtLJTQ/3p8qLTbV/tnRzux5MKh5VpyM"
    "+2k/KUyl9vVfuKlKR11njjE/TC5WPFsF8mrwP/+cCvM8mvmkk2W8yq2cW8Zvcwv0pa0SKr"
    "nlYsyOq0YoW0Ymk7WjXIC6I6yteK8phZ9TAv6uo4fyvp86d/ALPo33Y="
)
