"""The settings that an operator chooses: declared once, read from the environment, checked all at once."""
