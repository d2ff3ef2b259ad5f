"""What is sold as goods: brands and best-before dates."""
