"""The migrations of pharmacy, numbered by aerich and reviewed by people."""
