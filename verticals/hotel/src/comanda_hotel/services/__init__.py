"""What hotels do; the only package that writes to their tables."""
