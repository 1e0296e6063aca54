"""Simulated games: boards, tournaments with parallel workers, exact values of small boards."""
