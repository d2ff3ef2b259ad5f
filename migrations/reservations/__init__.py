"""The migrations of reservations, numbered by aerich and reviewed by people."""
