"""Pages of the hosts of stores."""
