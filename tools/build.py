"""Build what the site serves: API client, bundle, compiled messages, static files and database."""

from pathlib import Path

from tools.environment import TRUE_WORDS, Env, base_environment
from tools.packages import node_environment
from tools.paths import FRONTEND, FRONTEND_DIST, LOCALE, OPENAPI, PYTHON, ROOT, VENV
from tools.process import run_quietly
from tools.steps import fingerprint, print_duration, run_step

# One process for all three commands, since starting Django usually takes longer than the commands themselves.
PREPARE_DATABASE = """
import django, sys
from django.core.management import call_command
django.setup()
from config.db.former_schema import describe_former_schema
if problem := describe_former_schema():
    sys.exit(problem)
call_command("migrate", interactive=False)
if "demo" in sys.argv:
    call_command("seed_demo")
    call_command("seed_demo", list=True)
"""


def generate_api_client() -> None:
    config = list(FRONTEND.glob("openapi-ts.config.*"))
    key = fingerprint(OPENAPI, FRONTEND / "package-lock.json", *config)
    output = FRONTEND / "src" / "api" / "generated"
    run_step("API client", key, output, lambda: run_npm_script("API client", "client"))


def build_bundle() -> None:
    output = FRONTEND_DIST / "app" / "manifest.json"
    run_step("Bundle", fingerprint(FRONTEND), output, lambda: run_npm_script("Bundle", "build"))


def compile_messages() -> None:
    """Compile the translations of messages that are newer than their .mo files, as the tests do, too."""
    sources = LOCALE.glob("*/LC_MESSAGES/django.po")
    if not all(is_compiled(source) for source in sources):
        run_pybabel("compile", "--domain=django", f"--directory={LOCALE}")


def is_compiled(source: Path) -> bool:
    compiled = source.with_suffix(".mo")
    return compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime


def collect_static(env: Env) -> None:
    root = ROOT / env["STATIC_ROOT"]
    settings = ROOT / "config" / "settings.py"
    key = fingerprint(FRONTEND_DIST, ROOT / "static", ROOT / "requirements.txt", settings, str(root))
    # Django REST framework's own pages are not used here.
    command = ["collectstatic", "--clear", "--no-input", "--ignore=rest_framework"]
    output = root / "app" / "manifest.json"
    run_step("Static files", key, output, lambda: run_management_command("Static files", env, *command))


def build_site(env: Env) -> None:
    """Build everything that the server needs besides its database."""
    generate_api_client()
    build_bundle()
    compile_messages()
    collect_static(env)


def prepare_database(env: Env) -> list[str]:
    """Migrate and, on a demo site, seed the database; return the demo accounts as role, email and password.

    There is no stamp: both commands know what has been done. The three parts of an account are separated by tabs.
    """
    demo = ["demo"] if env.get("DEMO", "").strip().lower() in TRUE_WORDS else []
    name = "Database, demo data" if demo else "Database"
    # As for manage.py's commands: a migration may take longer than any request.
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_STATEMENT_SECONDS": "0"}
    with print_duration(name):
        output = run_quietly(name, [PYTHON, "-c", PREPARE_DATABASE, *demo], env | settings)
    return [line for line in output.splitlines() if line.count("\t") == 2]


def run_pybabel(command: str, *arguments: str) -> None:
    run_quietly(f"pybabel {command}", [str(VENV / "bin" / "pybabel"), command, *arguments], base_environment())


def run_npm_script(name: str, script: str) -> None:
    run_quietly(name, ["npm", "run", script], node_environment(), FRONTEND)


def run_management_command(name: str, env: Env, *arguments: str) -> str:
    return run_quietly(name, [PYTHON, "manage.py", *arguments], env)
