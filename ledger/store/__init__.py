"""The store: the `eventsourcing` library at its extension points; only here is SQL about events."""
