"""Test the permission classes per role."""

import pytest
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from accounts.permissions import IsAdmin, IsDoctor, IsPatient
from accounts.tests.factories import AdminFactory, PatientFactory, UserFactory


class Call(APIView):
    def get(self, request):
        return Response({})


def status_for(permission, client) -> tuple[int, str]:
    request = APIRequestFactory().get("/", HTTP_AUTHORIZATION=client._credentials.get("HTTP_AUTHORIZATION", ""))
    answer = Call.as_view(permission_classes=[permission])(request)
    return answer.status_code, "" if answer.status_code == 200 else answer.content.decode().split('"code":"')[1].split(
        '"'
    )[0]


@pytest.mark.parametrize(
    ("permission", "allowed"),
    [
        (IsPatient, {"patient"}),
        (IsDoctor, {"doctor"}),
        (IsAdmin, {"admin"}),
        (IsPatient | IsAdmin, {"patient", "admin"}),
        (IsPatient | IsDoctor | IsAdmin, {"patient", "doctor", "admin"}),
    ],
)
def test_each_role_has_its_permissions(db, api, client_of, permission, allowed):
    people = {
        "patient": PatientFactory.create(),
        "doctor": UserFactory.create(role="doctor"),
        "admin": AdminFactory.create(),
    }

    for role, person in people.items():
        expected = (200, "") if role in allowed else (403, "wrong_role")
        assert status_for(permission, client_of(person)) == expected
    assert status_for(permission, api) == (401, "not_signed_in")
