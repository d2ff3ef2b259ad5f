"""What the API answers, by who asks."""
