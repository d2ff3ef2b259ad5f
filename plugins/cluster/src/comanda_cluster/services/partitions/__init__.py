"""Log tables in partitions by id, one for each week or month."""
