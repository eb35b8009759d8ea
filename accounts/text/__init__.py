"""Text that people type: normalization, validation and search."""
