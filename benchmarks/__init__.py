"""How fast the product is, as ratios within one run: `python3 dev.py bench [name]`.

A figure in seconds says as much about the machine as about the code. So each benchmark runs what it compares in turn,
in the same minutes, on the same database, again and again; leaves out the first repetition; and prints medians and
their ratio, beside the server's own CPU time per request, which other programs on the machine disturb least.
"""
