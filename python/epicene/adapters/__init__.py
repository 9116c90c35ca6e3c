"""Models of other libraries as systems."""
