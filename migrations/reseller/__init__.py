"""The migrations of reseller, numbered by aerich and reviewed by people."""
