"""Distribution of a database over the nodes of a Citus cluster by owner: the plan, from the catalog, and its steps."""
