"""What the book is compared with, as independent checks: each returns all it finds, none raises."""
