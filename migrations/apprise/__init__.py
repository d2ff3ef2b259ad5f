"""The migrations of apprise, numbered by aerich and reviewed by people."""
