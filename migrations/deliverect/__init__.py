"""The migrations of Deliverect, numbered by aerich and reviewed by people."""
