"""What the tests of access share."""

from adminpanel.tests.furnished import furnished, monday
from adminpanel.tests.test_access_matrix import place

__all__ = ["furnished", "monday", "place"]
