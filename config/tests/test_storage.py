"""Pictures and records in S3, through a server that knows no other place for files.

`S3_TEST_ENDPOINT` is the address of anything that speaks the protocol and lets test keys make buckets: MinIO, or
`moto_server` (`pip install 'moto[s3]' flask flask-cors`, in a virtual environment of its own). Without it there is
nothing to ask, and the settings alone are held.
"""

import os
import subprocess
import sys
import uuid

import boto3  # type: ignore[import-untyped]  # it brings no types
import httpx
import pytest

from accounts.tests.files.pictures import picture
from appointments.tests.scheduling.concurrency import USER_FIELDS, register_doctor_and_patients
from config.testing import ROOT, run_server

ENDPOINT = os.environ.get("S3_TEST_ENDPOINT", "")
KEYS = {"S3_ACCESS_KEY": "testing", "S3_SECRET_KEY": "testing-secret", "S3_REGION": "us-east-1"}
READ = (
    "from config import settings as s; d, r = (s.STORAGES[name]['OPTIONS'] for name in ('default', 'records'));"
    "print(d['bucket_name'], d.get('location', ''), r['bucket_name'], r['location'], r['default_acl'],"
    " d['file_overwrite'])"
)


@pytest.mark.either_engine
@pytest.mark.parametrize(
    ("more", "made"),
    [
        ({}, "files  files records private False"),
        ({"S3_RECORDS_BUCKET": "other"}, "files  other records private False"),
    ],
)
def test_records_and_pictures_have_separate_storages(more, made):
    words = os.environ | {"S3_BUCKET": "files"} | more
    done = subprocess.run([sys.executable, "-c", READ], cwd=ROOT, env=words, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == made


def files_are_stored_read_and_deleted(tmp_path):
    name = uuid.uuid4().hex
    store = boto3.resource(
        "s3", endpoint_url=ENDPOINT, region_name="us-east-1", aws_access_key_id="testing",
        aws_secret_access_key="testing-secret",
    )  # fmt: skip
    for bucket in (name, f"{name}-records"):
        store.create_bucket(Bucket=bucket)

    def kept(bucket):
        return sorted(one.key for one in store.Bucket(bucket).objects.all())

    settings = {"S3_BUCKET": name, "S3_RECORDS_BUCKET": f"{name}-records", "S3_ENDPOINT_URL": ENDPOINT, **KEYS}
    with run_server(tmp_path, **settings) as server:
        (patient,), doctor_id = register_doctor_and_patients(server, 1)
        try:
            shown = []
            for color in ("red", "blue"):
                form = {"image": ("me.png", picture(color=color), "image/png")}
                sent = patient.put("/api/auth/profile", files=form)
                assert sent.status_code == 200, sent.text
                shown.append(sent.json()["data"]["user"]["profilePicture"])
                served = httpx.get(httpx.URL(server.url).join(shown[-1]), timeout=60)
                assert (served.status_code, served.headers["content-type"].startswith("image/")) == (200, True)
            # The first one was let go of, and is gone from the bucket.
            assert len(kept(name)) == 1
            assert httpx.get(httpx.URL(server.url).join(shown[0]), timeout=60).status_code == 404
            store.Bucket(f"{name}-records").put_object(Key="records/nobody/lost.pdf", Body=b"lost")
            server.sql(
                "INSERT INTO accounts_strayfile (storage, name, due_at) VALUES"
                " ('records', 'nobody/lost.pdf', '2026-01-01 00:00:00+00:00')"
            )
            server.manage("housekeeping", "--once")
            assert kept(f"{name}-records") == []
            server.manage("backup", str(tmp_path / "all.tar"))
            store.Bucket(name).objects.delete()
            assert httpx.get(httpx.URL(server.url).join(shown[1]), timeout=60).status_code == 404
            server.stop()
            server.manage("restore", str(tmp_path / "all.tar"), "--replace")
            assert len(kept(name)) == 1
            server.start()
            served = httpx.get(httpx.URL(server.url).join(shown[1]), timeout=60)
            assert served.status_code == 200
            closed = httpx.post(
                f"{server.url}/api/auth/login", timeout=60,
                json={"email": "patient0@example.com", "password": USER_FIELDS["password"], "role": "patient"},
            )  # fmt: skip
            assert closed.status_code == 200
        finally:
            patient.close()
    assert doctor_id


if ENDPOINT:
    test_files_are_stored_read_and_deleted = files_are_stored_read_and_deleted
