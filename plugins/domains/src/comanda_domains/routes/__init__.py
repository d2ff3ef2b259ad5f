"""Routes of the hosts of stores."""
