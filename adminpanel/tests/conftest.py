"""What the tests of access share."""

from adminpanel.tests.contracts.populated_site import furnished, monday
from adminpanel.tests.contracts.test_access_matrix import place

__all__ = ["furnished", "monday", "place"]
