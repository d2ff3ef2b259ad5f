"""What apps cost: terms, recurring charges, usage and shares."""
