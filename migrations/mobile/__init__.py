"""The migrations of mobile, numbered by aerich and reviewed by people."""
