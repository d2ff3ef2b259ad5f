"""The migrations of orchard, numbered by aerich and reviewed by people."""
