"""Write .env.example and docs/settings.md from the settings' declarations."""

from tools.environment import test_environment
from tools.packages import prepare_python
from tools.paths import PYTHON, ROOT
from tools.process import run_checked

HELP = "write .env.example and docs/settings.md from config/env/options.py"

SCRIPT = """
from pathlib import Path
from config.env import documents
Path(".env.example").write_text(documents.render_env_example())
Path("docs/settings.md").write_text(documents.render_settings_page())
"""


def run() -> int:
    prepare_python(development=False)
    run_checked([PYTHON, "-c", SCRIPT], test_environment(), ROOT)
    return 0
