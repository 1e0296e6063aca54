"""Presentation of boards, advice and games: terminal, overlay, pictures, pages."""
