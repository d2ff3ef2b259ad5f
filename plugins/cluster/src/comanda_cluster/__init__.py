"""Comanda on several database nodes, and its log tables in partitions."""
