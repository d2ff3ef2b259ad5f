"""The routes of Deliverect."""
