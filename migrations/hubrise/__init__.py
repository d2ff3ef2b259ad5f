"""The migrations of HubRise, numbered by aerich and reviewed by people."""
