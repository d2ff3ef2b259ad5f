"""What pages of the dashboard know beside what the API answers."""
