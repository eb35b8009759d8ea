"""What a browser says it is, in words that a person knows."""

# In the order in which they give themselves away: most call themselves by the names of others too.
BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS = (
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "a Mac"),
    ("Linux", "Linux"),
)


def device_words(user_agent: str) -> str:
    """Name browser and system; never in the browser's own words, which anybody can make up."""
    browser = next((name for mark, name in BROWSERS if mark in user_agent), "An unknown browser")
    system = next((name for mark, name in SYSTEMS if mark in user_agent), "")
    return f"{browser} on {system}" if system else browser
