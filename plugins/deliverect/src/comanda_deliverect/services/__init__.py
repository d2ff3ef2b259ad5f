"""The services of Deliverect."""
