"""The distribution of a database over a Citus cluster."""
