"""Records for the Dutch control data bank (Kansspelautoriteit, data model 1.11)."""
