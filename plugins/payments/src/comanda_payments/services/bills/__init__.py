"""What is due on an order, and what is paid of it: tenders, splits, cash of drivers, and the books."""
