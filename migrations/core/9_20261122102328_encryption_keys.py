"""Which encryption keys the database needs; the key of keyed hashes becomes text that can be encrypted."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Create the table and change the column; the next start of Comanda encrypts its value."""
    return """
        -- Ids of keys, never the keys: a process that lacks one of them does not start.
        CREATE TABLE core_encryption_key (
            id varchar(20) PRIMARY KEY,
            created_at timestamptz NOT NULL
        );
        ALTER TABLE core_secret DROP CONSTRAINT core_secret_key_check;
        ALTER TABLE core_secret ALTER COLUMN key TYPE text USING encode(key, 'hex');
        ALTER TABLE core_secret ADD CONSTRAINT core_secret_key_check CHECK (length(key) >= 64);
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Drop the table and decode the key. Fails where the key is encrypted, which SQL cannot undo."""
    return """
        ALTER TABLE core_secret DROP CONSTRAINT IF EXISTS core_secret_key_encrypted;
        ALTER TABLE core_secret DROP CONSTRAINT core_secret_key_check;
        ALTER TABLE core_secret ALTER COLUMN key TYPE bytea USING decode(key, 'hex');
        ALTER TABLE core_secret ADD CONSTRAINT core_secret_key_check CHECK (length(key) = 32);
        DROP TABLE core_encryption_key;
    """


MODELS_STATE = (
    "eJztXW1z2ziS/isof5m5Kq0rI8fJbLK1VXbWN8muY2+NdTszO5kiIRISeSYBDgFa1u7mvx"
    "8aFCW+i6T1QvHwJbFINEg9gBrdTzca/z6zWEjOryyLcD5hj4SevUP/PqPYJ/KP4s0ROsNB"
    "kNyCjwJPvXVbA6u2hlg3nnIRYkvIBjPscSIv2YRboRsIl8Gzzq6QaozYDGG6RI8utUeIC9"
    "mZjTBHruDo4ePVH8aXb87RT65wkGm63OCea7t0bpoo4gSRZ0GoDY1HaOGQkCgx6ApBQ8Ll"
    "M9g5vI/NLPlCUvLwj46o+3tEJDRzImRD+QK//iYvy5bkmfDkY/BozFzi2ZlhcG3oQF03xD"
    "JQ167d+Scq/lu1hS82NSzmRT7dtA+WwmF0LeBSAVfnhJIQCwJPEGEEI0Ijz1uNYjJI8ctu"
    "msRvmZKxyQxHHowrSMcvsLl2Zhh39xPj4WZiGGeFMU8kUmOxumQxCvNFvipXAMzhFf7wx/"
    "H44uLt+NXFm+8vX799e/n9q+9lW/W+xVtvv8Yvs0Er7kph9umHT3cTeCEmJ2U8beHCVyWD"
    "BY6l1GBs0GcLiZjRdgzSUttHIsG9biiSC5ux2PykBjYYG/Dhl1QE/oODw3LYk/Y5yOUXOU"
    "XIffxseITOhSM/jl/VoPmPqx8/fLz68dvxq//KQnq3ujNWt7LgKvVnOJg7ZXOb4nBZDnJW"
    "Lgf1dCnke50e2HVT9fb+Gnr2Of/dW6F9/enu6sdfvv189bMC3F+ubt3e3/2QtA8YF/NQdX"
    "R2/cvk5iqHv/q/xeRO2g9wcn/3qsnslq0qp7e6l8VXreWtNXdaqpPmXi2RvQH6KIqbR9P/"
    "JZZoj35GTuPfGX+LBbEezmJ/FYa4Qq1vRHKwey4/RYulBsPJzc+TX3/LQUaeA1dqawOLIm"
    "x/kV9buD4pRy4rmUPPXomeJ3+c3hSuQ/LT55uHydXnv2cWyL9cTW7gzjizNiZXv32T0+Lr"
    "TtBPnyYfEXxE/7y/u8kvout2k3+ewTvhSDCDsoWB7TQmyeXkUmaUQ/IkzRe7wyhnJfUo93"
    "mUPcyFIR30LuOcl9Uj3eeR3lAyJYYGYx7BtIIlyQjmvRgpua8lL6FQDuzE3N/fZsb0+lPO"
    "iLj7n8/XN9LIVoMpG7miwrawQgKQdPhpZSV38MM6JZvjFH5ZwEHOHlM8GFyYYutxgUPbKN"
    "xhY1bVtnjLH/v5K5jiuRokQPPraMU437K5Sz8wm5wVyOjNrdEWKtqDlnLqrZo2IKKhLRIO"
    "FmiBOeKECiQY4swnU2Yvz9E1Ew7CIUGPJBDAED+SJbER8CCEv0emmXB+poleIZcDsUwZUl"
    "fRkogyBvogz9TUc6+dNk0992gw0lNf/hpdsexAkBZENUc66siRBlEom7SiSVMiA2RKdx8G"
    "gDWowyTPiOkJ3nWCL0JG54Z8rTK27sHHnlep6HOih9P1r/ar6C/Gb9+sVTt8qFPmD5+vbm"
    "+L2rtHZN4JTfKT8FHSw9yR4tHszomMr6YaBjvM/aEaJuHyrJxpgDujRkSDWLXcyjN8ZAvp"
    "pAtCEZb+vpylsesPq7iNIuk2eNKr36xBpglevvT6laklvXzp4+MUCwAO/8KR5i5yhbxX5B"
    "gO8DzNL/TapdX8Qo8GI5XaRrpQC2kp7XSNOjpdFe5W5ZQ/go+1//k+/u7129ffX7x5vZ7m"
    "6yt1s1v7WtpIO6yRdg8LTtFCiy9vM8/YulWTvQiEYirO0c0TCeVklCOLiGyKpsRjdA7J/I"
    "g8yz68JWKUlG4paN+DNp96vWJXm0/Ex67XhpleCwyRl768bEJMX15WM9NwT2dIHxLfwMO0"
    "VWhl1b4Tvj2jybLwXjYJq1xWh1UuC2EVyC+KeEDktyvT0ttSk9KiB0xOWl/R2UnaGtXWaI"
    "k1+qBItKI5urq+zR7lm2ZbDdKJA4k/S+DcpCnJkStHE8vZBfe/yeYCvQNzEoVsMUI+tgla"
    "wIZVaU4i9fQRItQKl4GAra1CXZ+5IRdI9heWJCYd8sE7Nn/rQ6a7ZK36YAF3D5VWm7VydI"
    "uwTshzBaSr5oMwubZsGcnoxmTtL2eikuapBewDkFNf+6HEbuJfpYTnb6Qk+JG9vU2lkXVr"
    "YzUZmvjasukITZdqw7xrj2LFsXBcy0FP2IsIX2sfmKlTLJ1oHy+lI71RKe+VQgFFJTsh3g"
    "yCFSpRElxutR2/zEU/3IN3rNqq7fJStdbxJ3hctbaXXKdqXaeNRW0s7tVYhM3EJbaiWCnS"
    "elNx3aqBOpWuubVKJRf4EZRYaJOwJCBc3fQL/UJN0yc0Mp7kZ9m1aaK5NO14rCMJcJrIcj"
    "Cdr8QxgtZSXinTIHQt2ZvFIs9G3AGT0DTll7AeU/0VevpCpbqVjZEfSQ0sFalHZuJcSjos"
    "CnkcgQZty9TGYNDNq1sGtxziY37+ET5dM3sJwWvon0UCwtMgpTBUQWxvgZfyq0qv+hy+Zi"
    "AxiDuHZ8vWj4QEHEVB/IbwfWJYRpB2H7c//7sSSj9kBF8ezwSJITBNFVI3zVEcH5fGsedq"
    "nve0eV4dJj9imFy4wmvFAa8FBuGRHIAE5l5UsneyGuCk/QDx3WMZEgVTG5QzUgPE+qIJ1B"
    "fVSF8U6xkRX5o2op22SMkcDuT1nwdBevexDSsKQ+kMl/BE1UinZYY4nZvM5urJXJjL0mn8"
    "F6MtV76NzAAR3sM0ZtJaD9vN4o3I8IKg4ybGRbVpUYguOy0n8FpgeNDufrXDth0SXpLFWI"
    "1vSmR4CF82st0ua2y3y6Lt5nIjiKaey50uQfyMqK4w0jyGL7GDomNdMN/IacCbA54m/drR"
    "HHnJw1Ed3+1LrRynYF+aJ203BAVRPQbdxkDRykXs//pwf1eO/FogH/9xLYH+gxoWTuzZsl"
    "oDIyBRHwTPx7tH2WAOdHCdNxOxVWIlVoOetNeYd8fcxktDpeAYvksj0b72QGkHh9M749cn"
    "UINASPMUvrgxDYrwVu81ykoNpqrDzrYbSSMPMHKp5UWdcmvz0tpQbGEoQtWXZIq2WiuLki"
    "9S4N141z/NImoBsmgauZ5wKT+Hx/55X0TsofU6J+GTaxHDcnA4b6l4SmW1+ikY6lmY5PLH"
    "wpb2ekUPg8H60K5TDk+paFpWPq/o4P9nHXTYfZIFRGrtTntYKnrR21nabGfB3DFCFlGoVN"
    "xF21R0oJVNN2WjM0Y7KRqdMdowY/SDHO85K6tItL4z2pI3qihZK926Qf6oQzAoCHUaXpw1"
    "+Q1X2Z1lGaT1jXWiY691mU507NFgHP20Kg0+XNGFBvZcaIBxV5QGtipndlpkMMbqLklQua"
    "C7TyWzdptbtpHTxGe9H9YLg/DmWX7XojUYX95mCpJ1q60m4APzSVywSJrJxIZKRZgiiYc/"
    "QrP0Dp/3iDPPRrD/Ba7PGbPVLpikmCTcNeRdY7UVpmhA7vdR2vzs9aKrzc8eDYY2P3sB/j"
    "xkUdAa/LSUBl/b/n21/WEl78Jc5wQH4wQc+iAjbiR2UocYTkpSx21axG2ypmnbWEFRWp9T"
    "0bdwgeY3dsxv9Mfd/gEsq7Nynzu+N2rieBvzddut7rfqW5UeWrnCqwobIUEWnLdAUeLQvo"
    "NKalJpcyE9YLk6QrEJecVn8QX8DBc2ldZMcxYSYqiNa6aJ4EPRIz/407WT3mvrQTvpPRoM"
    "7aT3AnxQi62xTwlp6LWL3lMX3VdHZUe0xEGs3waSERyMFbuLzR8waN0gTQt2grRnft4OQd"
    "3Ykm1RzUrqmZouJOB5bMGNkAQEi5LE6VqKqCisWaIWLJHmDYbCG3ySht5ZgTFQV0dN8jXd"
    "pGWbQP2qvCUnnsfPk2Kb0s2+g5rsLkeUCaSUHpQsNk0s5GBMYbembOMw+aVWnjp8P3D+le"
    "dv4QBPXTlnXVJSPvTgT9dMQa+NdM0U9GgwNFPQC/CT3PvW+OcE9RBoxqCnjEH6zQowVx8W"
    "khMbQhWyLdsrM45C1zNDMjSkL81PIwpbnTyYERoC6oW6vQ0L99ZW7i2Ufzu91JXBKfLjFV"
    "Hp24zf/Q4CnRak04J6N8+HlBYENUBZEHm4bPnYVjx0I6h/Ye1qh+qdUZrDPjEOu1AKtAWa"
    "6/bazKmIbhnA8KvjnLqEt7LSWhm30A0bzr8IfHWpuKyULhNXzyF0KBOni9gM1vzsRTD0AV"
    "akD+p4v7NCTDR9c7T9CETr0bA2jbdGR+8pQT57Ij6h6rBA1cMIYWqjhbMsxjMbtNcRyF5z"
    "RToC2aPB0BHIXoCvc5WPBv0TDl1MRWv0s3IDcuUOjL9NPIFbeM/r9kOa8ztzn6W5z8uone"
    "pQ40ZigLH03Z9Bp3iF9jZKSkqris55Osqv6OQGZyS1G6zd4DI3+B/xkn5WcIGTG6Mt7u9T"
    "ql2DGq6rI6DS23jVYfY4rqYVe7U+Xk5JnLwLjq7Ku+VIOj2Qo6seCB2a5qoXpWkQHGKP4C"
    "vAifYl+4cP/Gztkfdaw2qPvEeDoT3yXoCvPXKdC3x8/2UvucD8MWoD76r5ILNQmyWh1uWg"
    "5sGd4tBidqv5mxLRIDcCmamXahWjTonoAPXOA9Q68froq6bF/ABLyw8Lo/NoVPehSasXWP"
    "E6O0yX0T/RhDCdLDqUggf3KiGyQG3eJ3mStcTmOpuyAa254gFHMZFoKyKRUxxwhwkBn4Wq"
    "I+AzlcLjCrTAHAUelm1LiMqX9qapx16vk5p67NFgaOqxF+DTyJ+WZb5X4r4RGBLqOzMapx"
    "F3KeHcgPhueeS4gpjJC9YFjk8Q6BoUIRCc39kL37qAXjWtlbQfIC170YTTuqimtC4KjBYX"
    "WEQlhFYNLbuWGCDA4yYAj6sBHhcAtokn3b9wabRHukR0eDzt7hEP8BJs8g6AFyX1FG8AuB"
    "WFIaHWsg3UaZkBgnzRRE9Xq+mClo6mggnsdeFWi7JDMtYOnTTsclWp0Og8HFU96EF5QQQi"
    "ChjUl24X/syJDW9pvRg30ULjajU0LughEj5BeMaSoM47RXqqetDT/yUbGWIzcUY6DUm5vB"
    "6QzgMCRaU6rw8lwnooumfTcQMAdanlRTYpoxW3RO/y0geM4R2HgNlhDE+4QadfQFpMz/3O"
    "cz+UZqYtX6vLGBRl9UB0Xw86rwV6HdjREATYtTuliWXkBpNVcGhNRGZSnZBOI1CU1aPQ0U"
    "2OuGB+h9h2TnBA+WHHGoG2Ow0KgsMjK/ZzpLgEqRXQa4HhAbz7LenYtkPCW0VYUiJDRLgZ"
    "xHUYF0BW+XBGVWpGTRQ8Jzc8uHcfyAoZ8ztAnRPTSG9HmlsOsSNPmnWzMoNwS3XrvLAubt"
    "23sgqZtDJWlv1Us62SlSY9DeJ31GiFGNcdPzEuOX6Csyi0WmG8kRhg8H0Plk5ku4S2gzgt"
    "M0CQd78muDbxA/nbp9bSeCStsklKRAeoPfbhIVmeCxlPUVRGCtQ4pFkxDXYjsKfMXhoO5k"
    "4Z/0JxuKxIB06L5QNQy1X169MCu45KWW39XZs2EtHrT3dXP/5SfhrWdclW4etfJjdXeUdK"
    "jtGjIdgjaVWmLic2QE3+5nWDmf7mdeVEh1tlULef6Fm5jjO9b2AfY6pLnweqYRXRr65TkJ"
    "Y5fKGC4+C/l5IERz/K4HRUvT6zoDdDcXKsQhTYHYc5K6mHuXfD3J9t61VHU6RvjppsYW99"
    "NEXcPl3f8huOYF8KeYcWDhvJfwgdoVnIfPknFiMkmPqj/OSKl3Wn97L3OsCs97L3aDCOXr"
    "Fbgw9XZgm4Tf38tcAAPfzdbxuGhcJ4wl7UihLPSg2PNNw9ztIyao1yWkZjvB1jaYuVxaBr"
    "IjuJwABVxe5jZzr8mypJ2rAmaW1R0uL+a308hXaF9+0K3wI3XO4I365o4wZucMIwNzmlQp"
    "3nkPJY368Od4BKbKoom/wzJEjOWa7atSjuttu+tXvca6dAu8c9GgztHvcC/Oryqg8+9rye"
    "1VjdP/wX47dv1oDDhzqIHz5f3d7qkzt6NJ31WZr65JSeOHl7SRz7PZKz1BUlOZGVUzstMi"
    "TNsrPqnPJ7veDEgjLpIcF8DAVebpBU58xkhHTKTPeUGfIsH94qXWkjoXPFXgC85kb3vTVm"
    "XW7vJaX6tIbfTVGsjuWwNPy7gR9AMqZBCyMyJzUk/HdmR+rqPj2Y3I+EGxUHXtVWeMtJHr"
    "C62/rKSZV36088aoI9b3lWHpCK740aRaTEuu3WkNRHtkDylZZxyIhDXIhgy0FxufD4uPKQ"
    "IAfz+BRzCBp5mAsU1waAyNEcPxHEIoEYRQvHlcLJWQ/IxstipGr/j/xCv9ArZa+reBjyXc"
    "9T57PHD8SUL+B/OH/dNJXKMs04T9QhEm80kU8M5Vu6fPNw4WCB4K0loJTj+ABKT/7G5Fty"
    "pm5/oWLBVpE1H1HyJF92geXrzlgYf0UGsbRDx9d2f5KMDrPpMNsx10Z9CE37RbLkEBrQa5"
    "WlYSrncE5qSNN4Z/YzJYt2imEloMsAdgz9hiTA6r1aoZ4R09h3LYSJ7ZIgTn39y5WIxvxF"
    "5fFLi39vr4pfWvVbY9/ibHCPiLbYZ8Q09h2xx9Qintca+7SYxr459v2gRiIxZc83T4SKsy"
    "I3kro52kaOqLbNeJErigh0CgwD8AQLvITto/Cng6ntkVD6/YvQFYLIBlTxBGlmQNEFFo44"
    "saVQ6VnMu+wfGA/TtCNiYGGaQFzA5leEke3yAAvLISHy4RH4kcj27+CoZyZ/FCPEwqSpRz"
    "AkBofyzwA6RngmCHyaYdeLQoIItfk5Ms34BW3T/ELjDGN4ueSt4zdzgKCxCfYEWrjCkY98"
    "LwVtRjcvyIlYPdnzVHudd9x3dTDShEifBuPoR0z3Lfqu8wQPDnl+M1izvWB1W8EK2Q5S4x"
    "TxrU7jSdrrJJ4XJPEwSx1m2mX/XU5Ub8Dr3Qa8zK9LmYxtx3gjpYe318OLpf/gB6IkD7LS"
    "KkiLDMZX3hmzv/J9inhehSGuKAGZkskBOrzVaHLz8+TX38oCTSQMy7KJJuS5LtC0lhpCeu"
    "gW3OpX8UzVzKR5fmnPmU6xv91au2/E9CkEfdPuvaDkJpg/TqKQnhX4uPWd0RYyTsiGhkha"
    "buXjfoo5qoCELpOmPALxODEnxBTychaQuvMeCr+pvBufPSliyuWQfQPfF4UR5aVc3I77fg"
    "GFdVxf8rgs1r48yWrKSi0wcuQ6qMicqLaCtZ5M68mv/wea5k7f"
)
