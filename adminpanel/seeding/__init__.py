"""What the command `seed_demo` makes: invented people, their portraits and their visits."""
