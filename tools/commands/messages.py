"""Collect the texts marked for translation in the code into locale/*/LC_MESSAGES/django.po, and compile these."""

from tools.build import compile_messages, run_pybabel
from tools.packages import prepare_python
from tools.paths import LOCALE, VAR

HELP = "collect texts to translate into locale/ and compile it"
APPS = ("accounts", "doctors", "appointments", "adminpanel")


def run() -> int:
    prepare_python(development=False)
    template = str(VAR / "messages.pot")
    about = ["--project=Wellhour", "--msgid-bugs-address=hello@example.com"]
    run_pybabel("extract", "--no-location", *about, f"--output-file={template}", *APPS)
    options = ["--no-fuzzy-matching", "--ignore-obsolete", "--ignore-pot-creation-date", "--width=120"]
    run_pybabel("update", "--domain=django", f"--input-file={template}", f"--output-dir={LOCALE}", *options)
    compile_messages()
    return 0
