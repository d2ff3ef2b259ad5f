"""Tables that are distributed over the nodes of a cluster, or in partitions."""
