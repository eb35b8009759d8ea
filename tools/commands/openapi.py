"""Write docs/openapi.yaml from the code, then the frontend's client from that."""

from tools.build import generate_api_client, run_management_command
from tools.environment import test_environment
from tools.packages import install_node_packages, prepare_python
from tools.paths import OPENAPI

HELP = "write docs/openapi.yaml and the client made from it"


def run() -> int:
    prepare_python(development=False)
    OPENAPI.parent.mkdir(exist_ok=True)
    command = ["spectacular", "--file", str(OPENAPI), "--validate", "--fail-on-warn"]
    run_management_command("OpenAPI", test_environment(), *command)
    install_node_packages(development=False)
    generate_api_client()
    return 0
