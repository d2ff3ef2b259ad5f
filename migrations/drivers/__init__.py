"""The migrations of drivers, numbered by aerich and reviewed by people."""
