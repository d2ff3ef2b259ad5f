"""The migrations of entitlements, numbered by aerich and reviewed by people."""
