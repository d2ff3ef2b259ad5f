"""The migrations of laundry, numbered by aerich and reviewed by people."""
