"""The wires to the central system: an HTTP client, a sandbox process, an in-process stand-in."""
