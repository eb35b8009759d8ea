"""Everything behind `dev.py`: it sets up, runs and checks Wellhour.

Each command is one module in `commands/`. Apart from `mutation/`, which runs inside the virtual environment, all of it
needs Python 3.11 and nothing installed. It imports no app, and no app imports it.

`dev.py` reads this file with every older Python too, in order to refuse it; so there is nothing new here.
"""

OLDEST_PYTHON = (3, 11)
