"""What the tests of access share."""

from adminpanel.tests.contracts.populated_site import monday, populated_site
from adminpanel.tests.contracts.test_access_matrix import place

__all__ = ["monday", "place", "populated_site"]
