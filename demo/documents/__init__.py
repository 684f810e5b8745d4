"""The demo company's documents: real PDF and Word files, the same bytes every time they are made."""
