"""What the tools take and give."""
