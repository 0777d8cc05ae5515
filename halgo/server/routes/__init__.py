"""The routes, a file for each group; a route reads a request and leaves the work to the service."""
