"""Records for the Spanish authority (DGOJ, monitoring model 3.3)."""
