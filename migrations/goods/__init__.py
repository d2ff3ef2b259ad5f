"""The migrations of goods, numbered by aerich and reviewed by people."""
