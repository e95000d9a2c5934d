"""Audit packages: what leaves the book for those who check it without us and our database."""
