"""The migrations of hotel, numbered by aerich and reviewed by people."""
