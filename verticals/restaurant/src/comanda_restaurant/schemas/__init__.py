"""Item fields, requests and answers of the restaurant vertical."""
