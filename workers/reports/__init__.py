"""Reports: what regulators and the back office read, built from one checkpoint (guarantee G6)."""
