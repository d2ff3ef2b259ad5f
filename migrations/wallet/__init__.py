"""The migrations of wallet, numbered by aerich and reviewed by people."""
