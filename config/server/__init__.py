"""Processes of the server: shutdown, memory, the parent process."""
