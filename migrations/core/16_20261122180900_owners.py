"""Publish what plugins may read of core's rows, and find orders by owner and track token."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Create the views: lists of columns, into which PostgreSQL plans a query as if it named the table.

    A migration may append columns to a view. One that takes a column away or changes its meaning creates the next
    version, and the earlier one stays for as long as it is promised. The index of track tokens begins with their hash,
    so it also serves tokens that do not name their owner.
    """
    return """
        ALTER TABLE core_order DROP CONSTRAINT core_order_track_hash_key;
        ALTER TABLE core_order ADD CONSTRAINT core_order_track_hash_key UNIQUE (track_hash, owner_id);
        CREATE VIEW core_owner_v1 WITH (security_invoker = true) AS SELECT
            id, email, name, plan, is_suspended, created_at
        FROM core_owner;
        CREATE VIEW core_access_token_v1 WITH (security_invoker = true) AS SELECT
            id, owner_id, kind, name, store_id, subject_id, scopes, is_sliding, created_at, last_used_at, expires_at,
            revoked_at
        FROM core_access_token;
        CREATE VIEW core_store_v1 WITH (security_invoker = true) AS SELECT
            id, owner_id, title, slug, store_type, country, currency, timezone, phone, address, hours,
            day_start_minutes, tax_rate_ppm, is_tax_included, cash_rounding_minor, is_published, is_listed,
            menu_version, stock_version, created_at
        FROM core_store;
        CREATE VIEW core_menu_category_v1 WITH (security_invoker = true) AS SELECT
            id, owner_id, store_id, name, position, is_active
        FROM core_menu_category;
        CREATE VIEW core_menu_item_v1 WITH (security_invoker = true) AS SELECT
            id, owner_id, store_id, category_id, name, description, image_url, price_minor, tax_rate_ppm, is_active,
            is_popular, is_sold_out, sold_out_until, position, stock, allow_backorder, attributes, created_at
        FROM core_menu_item;
        CREATE VIEW core_variant_v1 WITH (security_invoker = true) AS SELECT
            id, owner_id, store_id, item_id, name, sku, barcode, options, price_minor, compare_at_price_minor, stock,
            is_active, position
        FROM core_variant;
        CREATE VIEW core_extra_v1 WITH (security_invoker = true) AS SELECT
            id, owner_id, store_id, group_id, name, price_minor, is_sold_out, sold_out_until, position
        FROM core_extra;
        CREATE VIEW core_order_v1 WITH (security_invoker = true) AS SELECT
            id, owner_id, store_id, number, business_date, type, status, delivery_status, payment_status, currency,
            subtotal_minor, discount_total_minor, coupon_code, service_charge_minor, delivery_fee_minor,
            tax_total_minor, is_tax_included, tip_minor, rounding_minor, total_minor, paid_minor, refunded_minor,
            paid_at, customer_id, customer_name, phone, address, table_number, room_number, scheduled_for, note,
            source, client_uuid, track_token, track_hash, timeline, attributes, created_at, updated_at,
            charges, charges_minor, late_due_minor
        FROM core_order;
        CREATE VIEW core_order_line_v1 WITH (security_invoker = true) AS SELECT
            id, owner_id, order_id, item_id, variant_id, position, name, quantity, unit_price_minor, variation,
            extras, note, discount_minor, tax_minor, tax_rate_ppm, total_minor, takes_stock,
            price_label
        FROM core_order_line;
        CREATE VIEW core_order_tally_v1 WITH (security_invoker = true) AS SELECT
            owner_id, store_id, business_date, last_number, new, preparing, ready, completed, delivered, cancelled
        FROM core_order_tally;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Drop the views, and find orders by track token alone again."""
    return """
        DROP VIEW core_order_tally_v1;
        DROP VIEW core_order_line_v1;
        DROP VIEW core_order_v1;
        DROP VIEW core_extra_v1;
        DROP VIEW core_variant_v1;
        DROP VIEW core_menu_item_v1;
        DROP VIEW core_menu_category_v1;
        DROP VIEW core_store_v1;
        DROP VIEW core_access_token_v1;
        DROP VIEW core_owner_v1;
        ALTER TABLE core_order DROP CONSTRAINT core_order_track_hash_key;
        ALTER TABLE core_order ADD CONSTRAINT core_order_track_hash_key UNIQUE (track_hash);
    """


MODELS_STATE = (
    "eJztXW1z2za2/isYf2l3RvWkTpz0Njs747TeNnuduFN7t+22HQoiIQtrimAJMI62t//9ng"
    "OQFF8lkpZkisWXNiZxQOoBeHDez+8nrojY6YXrMilvxT0LTr4kv58EdMngH9WbE3JCwzC9"
    "hX8qOvOzsQ7VYx2VDZ5JFVFXwYA59SWDSx6TbsRDxQU+6+SC6MFEzAkNVuSeB96ESAWTeY"
    "RKwpUkN99efHZ2/vKU/MDVgkynXDrS5x4P7qZTwqi7ILFkhH1ULPCQYkL4XBPiZIRLkow+"
    "xTfyhAuvBH89xcPjgP8WM4DnjqkFi+AVfv4VLsNI9pHJ9M/w3plz5nuFpeAeTqCvO2oV6m"
    "tv+N3bQP1dj8WfNnNc4cfLYD0+XKmFCDICHii8escCFlHF8AkqinFVgtj3k5VMF8q87HqI"
    "ecscjcfmNPZxbZHavMD62onjvL++dW4ubx3npLLuKUVuNZJLrghwz8CrSg3AHb7CZ/9zdv"
    "b8+auzZ89ffnH+4tWr8y+efQFj9ftWb736w7zMGi0zlcbs7Tdv39/iCwnYmGbr4oU/NA1V"
    "1FDpxVijLx4AMafrGuSptq9EivumpUgvrNdi/VmNbDHW4OOXVAX+qwWN6mFPx5cghx9yjJ"
    "Av6UfHZ8GdWsCfZ882oPmvi++/+vbi+0/Pnv2lCOn75M6ZvlUEVzNAZ0Hlom5vBzRa1YNc"
    "pCtBPVspeK/jA3vTVr26foMzL6X8zU/QfvP2/cX3P3367uJHDfhyldy6un7/TTo+FFLdRX"
    "qikzc/3V5elPDX/++wudPxI9zcnz9rs7thVOP21veK+OrTvDPnzlP14tzJETkYoJ+Ecct4"
    "9h/mqu7oF+gs/r3xd0Vo+HAR+4soog1sfU1Sgt3n8hgllg0Y3l7+ePvzryXI2MeQA7d2qK"
    "rC9jX8bMWXrB65ImUJPS8hPU3/cXxbeBOSb99d3txevPuucEB+fXF7iXfOCmdjevXTlyUu"
    "nk1Cfnh7+y3BP8m/r99flg/RbNztv0/wnWishBOIB4d6eUzSy+mlwipH7AOIL16PVS5S2l"
    "Ue8ir7VCoHtPM+61ymtSs95JVeG2VqBA0hfEaDBitJgbCsxQDlvo681IRyYCXm+vqqsKZv"
    "3paEiPf/fPfmEoRsvZgwiKsG2cKNGELS49MqUu7gwzommeMYviy0Qc7vc3YwvDCj7v0DjT"
    "ynckeciaax1VvLs2X5Cg3onV4kRPOPSWJ1/potxe3CwFwySK9vTbaYoz0Y6ahsaAtjdMSA"
    "0CNqQRX8hxGcgSQ7dkKkMHe4QstucpmIwF/Bf1xGaOARH65FxF3Q4I5JIiKYwmf4AEmkoq"
    "s6I/RhHvoI4/PTGime1v5csr+1M8BtssAlJopmY7PesJ2V5jyVNTZ30pkHwfCuxB0PvhIe"
    "qzK89a1tDM/HkbApkqEtGJ4I2Gd4zhIkMozmgQLXYIE6JfhMzV+AQ/GQwzVCI5bzkN2zFf"
    "wDrcBMvibTaerxmE7JM7IEsUuSQBB9layYqmN+h32BX4JfgukUDsAI/ZRIByOBrSLbDeGb"
    "Ycg82WdLyn3ywOErig1L1k+cwAOkiCOXpZR4K5nMvHrE4NuRyKDxFv6kU3zgQyTg44RfzS"
    "RQuSKGPU6oUmwZwj/mkVgacjM7Pkcgj84o4EUkM+Oo7xN9U1qX4tAZyyYub12KT2gZ5R6w"
    "Eq5WPRxfFVLr+5r09H2FcQRDOkmWOZIResB2797FE6jHJi+Q2Q3ed4Pn5YxuC1Cm7LkGx2"
    "Nz3NcS5OS1bitQIrQL0HMBcqJvdQFuliDONgo7JdLDyTvP9ivsPD979TITb/CPTQLNzbuL"
    "q6uqBJPTD7rCWiK1sA7T/3tE5+dRmLXzy9zTK2gdgkeyvtY7NdplHo6x9jZandTbavHOpJ"
    "WpViUjt1pqbxcMXmE5YxFmK2jitQExDhT3yXS6PoOmU7SG3rNVzsZJc9ZSnAQtlHqiqll2"
    "70+zZstBW8qs2XJAi5HLhGB9LJZ5KmvLmfTUYxtUrWZ/7OH1q/3v97PPX7x68cXzly+ybZ"
    "5d2bS7rZ5lBbTDCmjXeOBUpTNzeZtoJrJRbdJXWUDRVX35gUUrHYRBGAwlM+aL4E4SJQj7"
    "CHPocB1mXNG1mah957Gi1KBP72ZRimGUQRfnV0YwRtfX+Xkb39f5ebPzC+/Z5LpD4hv6NO"
    "iCbzq+F74DM5cV4T1v47k9b/bcnlc8txiaHsuQwa+r49LbotrzpAeMa8+u2MB2K5laybRG"
    "Mr1hsE9UVTRNrm+TTeV6WCubISj/xvrGJeGwmhR2F97/pBg7+aUWKiPxMMkizDH8UVvt9A"
    "tMCAvcaBXinSRMfc4jqTC+PKoJ7Dzws3csBG92oO7SjjUEObi/47RZuIUFrsJ6yz42QJoM"
    "H4XgtSXnuMAhUwmg3jaVDs8dY1+huWogIesXscfVZaCi1TvhMb/K08oDtjE3iuMdFrT2il"
    "wD43iI4CwnsxWhxIWvtk67rh+GseDXmEbDPZkLK39N8DeYK77AbF8Sh+RhwQKCb8bTW1ym"
    "6TmBICGLpAioT/CDQL6G+vqMEdi3Ehkdi0wguIiVK5bMuEjgz3v4l4g0S2NRBP/CyLvXGu"
    "bEz4K3kqhy7VYJ5ANMBg+GwfBUWBp4K/wRxsUSRgJLcBGPM8+aB47ZPGA9LU/oaRGuG0dR"
    "LzWgRGr1gMHpAYUQXReYvtO1xFiRahRSy74j0Q1kXdlZnsqys97szFRr65xSmqOy4PcG35"
    "YgezrsgX/ge3Zj7QnFKNn6zvLXK1kunUBek4wQ5ZcvWoD88kUjxnirCHGiANYykWaUi1Qj"
    "BHovFSNnbG44b82O/sfN9ft6rItUZaGfu4r8HxlfDT3EY7M9q2y6KonwOMGbMj+ZK63Cds"
    "K/QPQo+Ad2bh4a/cRC1YXP5EjG59ndGY8ZhMn20jhSAJH/ZTXR68Xbky3mWpaNdhL7fTuf"
    "FPd0xX3tH9JlLz5QHw4qwgPjK0KT2IxKRpZ0pY2omfcH/UKvtZ0TabmSzJ/rIvumIAgGTD"
    "1oW2utP+pAz92xxbX5u9vluT6oIku7sT00m1atj7/PcXMUtr1BcNkrGrDLDyyocfOvb23l"
    "rjjK8WF8O856ERBNYlgbutQXNPB8Fml31IopdEl5jJrCRhNgcC7F3iVcwYzcR5fSIg7u0K"
    "+EBZhmsawrVreHh6AfDtlzJB6Qp+rSdchz0eOGLDd9goxdlzFPnpLpNE1GWldTyo38ROqH"
    "xbCV0kgCmFe/t3WJDd96Y11iA1qMXLiy5kddwc9TWfB7g59wti7SYY7Emn7amX48OBW6y4"
    "RrKlsUYGjiYKEePMNYHEeH1XRd4zKtXekhr3QqHVZXudnRnCMZTUWcnaVr6nYIOkCtCmlz"
    "UGeRagymwUOEdtpkhD8FvxqEoeI6VjPxscFUkb852ZYyq8d2NVToEFmPy5Aqd4G2AQzSVa"
    "D2c6P5w0SBNA55Y3DQxgSP8LpK0ruY1ZSHNgKdidHVVgi6ni7SxmHXp3wJBF8SbQXBks1o"
    "0UgtFlpaQFszGkj0IzAcl2CLWDReeHA5e4Bk6pdAF/LX3WTz5hS0oyhjwcDGssJcxT4AgW"
    "4xi7Yha9AYvhpnDRoDWgwblzUE7G1m9p4tGcBxqvg2h0+k423gymNCJ2zSwHjl9YHZCe3y"
    "WvPR0ZiPEoWn8wezJrP21qF9MIOwX3wFy30nGvOPi7cnW2wYSxbEjpuQtDRlkHS8iSzTys"
    "EnkuBUdUW+toy2evyg1Rerxw9oMZ5cj7fgn1hFfv8l1oTk9SlsjTs7T2Jl0UrrN+mg7f9D"
    "za7dVlRtTWc7hW8uqDYI4fDyI/zWbyIRhw3iYXnANgGR4XjnDgnaiod6MEp7mlZ+SdyFwF"
    "ae0+lSN2qNA3QDKYEXgJckFyZI8bDg7iJX7Go6nUeMZTRYgwYv1ImZB3qqFVcHfUhbcXVA"
    "i2HF1UGAD6fUsjP2OSILvdUUBqopZEd7FeTN5SwLhKNRGHbRDTATjjpDmiccUZTALkBdy5"
    "NdUS1S2p2ad1n5vniQTsRCRuscVxtV2yqxrRjeoWK4NdHswEQzHIvBJmNBBztBSwtBYHR0"
    "7RDCqE62TAM+JQkj7rLXRArfIyJWhXKvIsr68OF9DMA12SnTaX1s7F6eYi0Agxa+rQVgQI"
    "thLQCDAF/bRjuDn6ey4FsbwEBtAPosd0Chr0vU27S/S4SjkUkPbV6UTiondXcv5imtAtZB"
    "ASuKplXgN0cZVqltsOHQgg2tuj1Gdfst6KEN2vb61qRN1CZqtK0Vbq3+zkG1ldRnmI8Jkr"
    "WLjVjeY7omlyQQylSVwmYwutZUxGexYlhtagHcQib+cfyJqFLrCV0a0hkHJsWZrNXAD/RY"
    "q5IPWlawKvmAFsOq5IMAP42K74x/idAugVXMB6qY59+sAnNzBZ0SmS2h072EDl+C6OnEUa"
    "dO6wWiMaBeSTlvmXO+Mem8knV+fOan0TFyBeuMIDlhuOygIZfJRhSzssvMAWvcs8a9we3z"
    "MRn34EsJRRj7tO4A2fKJ5QjtF9bhC7MZUTZg7Pgs2CXrjXvfAc1svBVzGkJJHbTvi8irKz"
    "m+PZa0SG2ZcQfesLb6V4Hf0P2sQHX4Il4nf53HgamoOYu5r3ggT/Gxfzs5/GLspbSXLcQ7"
    "WvFzEK7QGzyRvlrQQDPzkjM0f3OyxR2qjzbHXQ9ukaS8FB/YEkvnijnR9IQGno4Nhr0rRV"
    "CXYtyKxvoiB201sr7IAS2G9UUOAnybIPxk0H+gEac9WkwV6Uak0h0Yf4/5dUWDG3HPxo9p"
    "z+9MjTZiUBen45pihF718zYOx/Nmd+N5xdmo7QvdZZQclWUVvSN2tH7RSx0uUFp12KrDde"
    "rwv8yR3hAcXLg72aIQJ9JBW104GV6bKQv6jcmW1bqu0FTU91fZTa0IvyaaxxCfB0wSFwZg"
    "y5bpVM+MJLUZugd8sNXKB81lrVY+oMWwWvkgwLdauY0MfnodZi+RwfI+7gJvMnyUMantQl"
    "K7tEGa0cgFKbELwDkSC3IrkI082slfnSOxzuqdO6ttGPaTn5quWIY0wu41Tu/VaJ7DGq4e"
    "IcXbSDFbSv9Ig8Ns4OhYSh9c6+DIimXzOo2Z3NxsOxvVptyBHj0xxkR8mNRGRH2iwD91JQ"
    "GsK7AUOpyHK/IAF0OfusyrrWPwmPlMf20XhO87XdYA2wnAnpSMzJjk8O6aVLLoAxo7zTg9"
    "PV72mA88I1qROYNfinDqcgqBCBjWS0hmNaek6a2tJ4uXvwTmnXhE6BILLOgu3CHlXrHNNw"
    "43A8g9C1XSASHCvtzMvIISisK2nE59zJXCho7p0x6wyze281Yc3gvu6Icm70So58EMkge6"
    "0iLDTgwz6lP409pkj0GAsDbZAS2GtckOAvwgXs7q0gMacV8TjAn1nUnTs1ii40466Pyud6"
    "s3WKzKhJu86kcI9AYU0UteToDGX11Br9nel44fob36eRtj3/NmW9/ziqlPKqriGkvfBnt1"
    "RjFCgM/aAHzWDPBZBeBUxnW6I11DOj4D9u4RD+kKFZUegFcp7RZvAbgbRxEL3FUXqPM0Iw"
    "T5eRs+3cymK1w6nmlFtY/RuUo7JmHt0BHVXOqCjk7v5WiawS7KI1wzcSiw41U3v3CJbHxH"
    "6/OzNlzorJkNnVX4kLHjOcYK1osbNcxgt/9jsjyMmDhnvZaknt4uyGNi6dFGXF2F5vCJHM"
    "mjwicGxo8OntSf9xh09M2XSUfjW3uCenW9paMaYsuI+gfZSgcB5YHrxx6rM6pvceqXqQ/o"
    "2n8arrRD177iYa8vIE9m937vvR+BkuXBa/VZgyqtXYj+50Hvs8CeAztaAh0Y0Sd6tEBnBa"
    "KenIjNgZ2wXitQpbWr0G8VivE93VahSmtX4RGcqHuOeY7MVvsdWn550RUklVj2iJ8qEY4o"
    "OPvQxqcUyK5pfhXC8RnE99OhE0DqBHRGMD6Ad18TBngPsKdOXvwcyRgRbgfxJowrIOtgdK"
    "cp/G9DpFWJbnxw7z5YIhJi2QPqEplFejvSEoP8Yx+Up3mdwL+lzUSZ2MqdQ5Y7A1EXYbuh"
    "poGoDawdxXfU6oQ429QJ6qymE5QUceR2wnhNMcIArz1IOrHHWdAN4jzNCEHe/ZnAPbYM4d"
    "sP3JVzzzpFLNaQjpB77ENDcn2OUbVxXGcU2KCQFsks2K3Anglv5SyoXNTZXwIarRpSTvJk"
    "ZTfvKmlDcVxgbzKlJPEkmWgDiL55+/7i+5/qG1O+qYk/efPT7eVFWZGCNbp3lLhnnerEls"
    "hGyMlfvmix01++aNzoeKsO6u4bvUjXc6cPDeyn2Oqg82Bdyir6zVFueZrDVwkaUZzbk/cU"
    "Oh5Wb5sHDWYpjs6qEIdez2UuUtplHtwyD6dmTFOPqPzNSZv6MR17RJkkR2KIkiLVep4vyc"
    "NCTHQBlQmZR2Jp6rWIuhrX/SaxtVEG7Uy2tVEGtBhP3h7Dgo9X5im4bXX6jGCE2vzuy1Dg"
    "CeF8oH7cyfxdpBqfgXD3OIMU1BnlPI3FeDvGIHfV+Zs3eHFSghGyit37yayrN1f7u2Xx74"
    "3Vv6v1PGwvKKv27lvtvUI7cL3Se5WYiFuovKk1uY3Ci2PzKmqu4umjCqjucGKrGA9aHbCK"
    "8YAWwyrGgwC/uYL5zZL6/sDKmO8f/udnr15mgOMfmyC+eXdxdWWbYw1oO9uW1U9cg9g2J9"
    "treNhvMexSrmoiHxu3dp5kTJxlZ3We4Xc9oilQHfWYYD60PKKRBExMJ+HWSXlFslEai9rZ"
    "iro0issaEVehbg5DKhDZKKT+UUjsIzy8UwTYmsKG3z0CeGuC3ne2UVYl9zEVdu1xuptqfj"
    "3r+Fn4dwM/guSE4bKDyF4mG9MK7Exst4XJBrC975l0Glp4bixOWaI8YGHK7MpRVaYcjuPv"
    "lvr+6qTe82fuTVq5/lQ2dqvv73bBiKmdoN10RPcL+0Qab50ks1USxzrJOhP6VCpzOyXULj"
    "2uYHTSnImgG7vqDtzjs7DX4hVI6NqPmMyH30HSCXE61YxpOjXxtgsGqJJL3V8R8AkkNR2y"
    "ffhksJEilyQSD/rpGKfL3QUJI/aBwVYkHqOeHndor+TuO7lZ56R1Tj7lEWebwHU/62qawC"
    "Gbaiybs6FwY4FqTNt4Z2JwwB66MYaEwJbA7GugZiHV79UJ9QKZxb5vKV7q1bi+NlfgTUgs"
    "5v0wT9rL1LYf2N6VprbvgMW+dWesZegz1RX7ApnFvif22Aze9ztjnyez2LfHfhAWjm8oLF"
    "20+o67Ko7YScXKUbo/2WLpuDPDnTA3vkWkczKc8ABjkjEw7BNJkrm+xEtx6AvqMY+EC6EE"
    "ERFeZB8ViwLqk39+f1UX5ryjWW2M84A/ook1IwxpMfJ9uteGsac0p/0pwbfxuAMMLx9YZP"
    "meBaidmXuoX5PVtyE31a9L5RtB5MpeCqnHUaegw2T4+MDdV2aqFiw7c+I8lY3MPzqd6jtc"
    "vpOKKmUuT7ZoUGE2arveVNVgTE4nSrATwj0WKA5v7KETFx23WEQSx6CnNmKfsQBbiXsEVk"
    "vB0BoVascPQH/wdCr5f5mcTgkF1Ww6/f2Be2oxIQvG7xbqj+l0QiTmYTGpyJxHUp2St4q4"
    "8NQZI3IBj9Z+6FjCvA8L7uMcXAdWRMybTk/hzzjAu47kgcvgOVz+EkimktFcwQVUCQOR6o"
    "KvtS6oiZKfydGjrA1KhM5BHSTUUFt9cOgMYGL1wSEtxhr8+sK3zaJGQ8HbMeRJ7b62sGap"
    "VXSb4+ozAhtW/4iw+uzcqeEoWxpVr+lsJGCHHtX5o70K+pYSpyVa2yBnaMVebMXiP8UyD0"
    "dJ+zv3a3xe61uTNsoaPM9v7+lCik8kQRrQoObmgtTKkDkTUDdBXQrF2BmVNRG7vWd5hOby"
    "tGnuT6u87Cst1Woqg9RUEmtFHfbNXTpyRLZFx6RDi45hHAZ+fMeD7xn8UWR71btbjwQ9uP"
    "VxoEcDp6YKjWckigMiApPskLJuXZQc+TUGKARCZSYsiRklwOrhbK09JHY1tzHb4Q5PunFM"
    "p3pCtPLpHy8n5tQheptMyDz24WTydc24pfCwlBxWlaMrcwUeKDzMJ8EpTDaJx1yf4rEF77"
    "I8xcfRB7rKmfAIWvB0mgieatowiHkpkdK5JyJW+nryk+NAcR/nxrecMRaQCBYvcLmfGfSM"
    "hVLFUfAanwa6GuoGmhCed89YKInQwISRcJmU8CP049OZAGZ8AjUPllg6T8uV9pwdVh3W5k"
    "PW49Js6FpvbTPkZboRWqjO2ibJb8qRr9TeYJHsCHWOZIQo76XCSY5NdzEIlsisWfARZkGd"
    "xCPh2OlhvCjTWvPF4MwXheCUTErputBFSmuLHPIq56XDzh90idau9NBWehAa6A3qTycV1d"
    "NcnmzROWU2qpXKSV1mtEJdkyJJzK/XIOuHGoUQlLnYSSQ00JnuIvEgTSUApnP41z22dAlx"
    "GD1JK4uDsglK2BJ0wOlUl8TIzVM7gx6k9ULQ9SJpVEKcVsz+w0A2gSHJLUe6oEJSefot/v"
    "VGeKvp9HWmJPJEXdPaKkxBfWDD8D4hCzByJKSpuon6IWxw+NW/BOv6BzDkrb54oy8VZ57o"
    "BIJMu8Q4FK1NToqPFAGWX7eRJMM3CVr77IAWI9/IV/nd+gGlBCPUIfdSc1f6cU2ydzPA6f"
    "gR4rsXHd1kuWiYuqBcoBoh1nvoHsaWIMN0q32ZpzkcyNk/D4L07ptcuXEUscCtqVXQjHSe"
    "Zozbuc1ubt7Mlb0MyuF/RV3/+k0n35pmhAjvYRtjHdao2y5ek4wvL+asjXDRLFrUpMN028"
    "AZwfig3UMfR8+LmKwx+2/IlluTjA/hvWTMcemE8cznctEn7LdAesDI31RFP9rAX8AOvU99"
    "MF/TWcDbA5637nUzc5QpD2fq+HxfbOWpKiisDaPdlqBCategZ9YSGpGr2Df70TMC2yekvw"
    "MdzfBdQE/HW8z7Y+6hOxoD6rBOfH30yOb+iLUTHI7vnL3Yc0GLXfRJPLruCMdSJATEPASJ"
    "B64fe32ExDK1FRU7iIrCY066RzudllXKwweenfx1Hgem0vws5r7igTzFx/5tX6bYQ3N2ya"
    "IP2CvOXdDorivrqSe2DKgirBdx6tGkpWmG0WB9aPWphCfmIVRX5CKKaENKT9MEpQUZX1Ds"
    "7eWPtz//WpPrXgQE+HavzPeGWWwefIcj16Vy4UQiDjx4lz7cpmECy2x65gzabHUbHrrv8N"
    "AbppRBui5KNL07aRMsClx4PXpr0OgPGAGa1v3CXD2OVb3oDOMeaRrZaPLNk3lNx6cgzch7"
    "TT5QP2aS+GyuiCaLmMlPN9utJvz0UA+1QZiD5rE2CHNAi2HLOw8C/HWOees4iozChgG1CA"
    "MyB0cXS9aawqZOPsJWFYdeTzm6SGnlaCtH18nRt1Te38ZRUJWhszvb5GcFAx2VjmzVylWX"
    "uDDVKnSL1ZBFXABjIDiXaU+ySutMvDaFLMwfJvfKbG1dLENPYjKfkLa+m+v+HoeJX7fJH1"
    "hPRCalNqZT+CNAS0JaQQPmwcxHNUll9MIjXOr7OseK+fOEmEWYKWXaukbwZT7gfVtNY0dH"
    "5EGqVuncdVjLvmnva1LLvgfHvgtdCfMfe9elrhDbjOihr3VdC9tmJrqmGF9I8ecv27DR8n"
    "rluOjLvzx1zbM//h/NfbFz"
)
