"""Orders of a store: the list and the board, one order, a new one."""
