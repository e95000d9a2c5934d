"""What a person or a machine operates: settings, services, command line, boards and runbooks."""
