"""Say what happens to rows when the row of core that they refer to is deleted: it is not."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Replace the foreign keys by ones that refuse the deletion at once."""
    return """
        ALTER TABLE carparts_fitment DROP CONSTRAINT carparts_fitment_store_id_owner_id_fkey,
            ADD CONSTRAINT carparts_fitment_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore foreign keys that say nothing."""
    return """
        ALTER TABLE carparts_fitment DROP CONSTRAINT carparts_fitment_store_id_owner_id_fkey,
            ADD CONSTRAINT carparts_fitment_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
    """


MODELS_STATE = (
    "eJztmG1P4kAQgP/Khk+aqPHqId75CYwvJIqJmMuZ81KWdigN7S52l0Ni+O83s6W2UEDL3e"
    "XU9Budt519Zrpd5qni8GjII632znwdgtCVr+ypIngI+COv3GEVPhxmVSTSvBvM2du9jH1X"
    "6Yg7FLjHAwUockE5kT/UvhTkVWcRFx4w2WO/oO87ASim+1wzX0OoSMyZ0jICRnkdMyG70p"
    "0wBWjnayaFgxopgLkS1B6t6UoHF/WF9/fD34t70ekMYNLpMF+ha/uivmtVDykO/IJoovu4"
    "brxAyAe01liSUvchxGC4QKdDCjuOwYVLAulCkEgwkzG5K+CR0wd1LxwZIlfYQ8sJCm0t0a"
    "5FOWEKQjIQrtn3SPgPI0C1B7hchLv/8RPFvnDhEVTyOBxgfSBw50rtuxTAyG09GRpZw/ea"
    "Qp8ZW6LatR0ZjEKR2g9xu1I8O/hxyT0QEHENtIKORlRyMQqCWZckXRAnm5rEWWZ8XOjxUU"
    "CNQ95xAqmsYtut61u7fXpr25VcUyUemUaYiRwpqCExVWUAeJTC7hfLOjioWfsHh0fVz7Va"
    "9Wj/CG1NvnlVbRonk9KKQxlmzfNm65YSktj18WtBgqnx4ZrHXqYYKX05RmJ20RpkvV6uRM"
    "J9XSkSQVqL9J39YMVI4ZuXvzD8rFcJf2P4eOYt4y54NFnOfeawgLw70aDeIfR1/C6vGxQ5"
    "VOohIMG3+k2j2arf3G1d1b9vG9Vkprq8bp0n9kOptBeZQJXG3e1pfYE4fXzyyE/6PFoOPL"
    "FfII67eIe8cTePdgDC0318/LS/v6YAyPvkon6zhVbb823cmqmsWLfAl77lhQAnDiXhVxKe"
    "XZ+KdrG9/OwoOa/r5MKgs04l6deRNrf6XiTDPOl2yINg5S1kzvEjXUMOrNrh88WDHtZdNd"
    "pX9cvL/N1i9l9pI6ax20ZEZ39fPiBQfAd8UejykHpsdBS8NZT//iTABJYcAqsBJ/Yl3lfh"
    "FVIX6t/E/uPhtarVV+BFq5V4jW46pZFSb5AZa5Cgy53BmEeundNIS66yzatCK1yUcME9w4"
    "42STtYHFI2NYSVdVNMY7BTbJJp+4nTi+PMaxrLoTVDV0UTv/z88ZgGi54Exca+7tNo0Hjk"
    "Z5d/GKucB77pKUg5D3xDxci0Pr4+hdlnnEr0G6N/Pm0L0p/3KwtQqAD/9QM+/Q0lJATm"
)
