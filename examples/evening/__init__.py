"""One evening of several stores, played through the REST API alone, and its books checked afterwards."""
