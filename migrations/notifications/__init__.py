"""The migrations of notifications, numbered by aerich and reviewed by people."""
