"""What drivers earn and collect."""
