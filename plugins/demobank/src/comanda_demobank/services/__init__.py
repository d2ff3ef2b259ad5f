"""What the demo bank does: its charges and refunds, and its card readers."""
