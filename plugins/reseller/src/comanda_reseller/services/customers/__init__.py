"""The customers of resellers: who they are, how they are invited, and what they see."""
