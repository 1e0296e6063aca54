"""Draw boards and fit all learned parameters of `vision`. The product never imports this package."""
