"""What drivers and their owners send and get."""
