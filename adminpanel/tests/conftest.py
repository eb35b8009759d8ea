"""What the tests of access share."""

from adminpanel.tests.contracts.access_matrix import matrix_site
from adminpanel.tests.contracts.populated_site import monday, populated_site

__all__ = ["matrix_site", "monday", "populated_site"]
