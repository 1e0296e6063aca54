"""Reading: screenshot -> board location -> cell states."""
