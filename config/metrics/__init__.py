"""Figures for Prometheus: counted in each process, or read from the database when they are asked for."""
