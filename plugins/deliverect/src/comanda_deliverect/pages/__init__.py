"""The pages of Deliverect."""
