"""`manage.py check_search`: compare the search index of the directory with its sources."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from doctors.directory import search_index
from doctors.models import DoctorProfile


class Command(BaseCommand):
    help = "Compares the search index with its sources; with --repair, rebuilds it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--repair", action="store_true", help="fold every doctor again and rebuild the index")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["repair"]:
            DoctorProfile.objects.update(folded_by=None)
            DoctorProfile.objects.fold_outdated()
            search_index.rebuild_index()
            if connection.vendor == "postgresql":
                search_index.create_trigram_index(connection)
        found = search_index.find_inconsistencies()
        for key, problems in list(found.items())[:20]:
            print(f"{key}: {', '.join(problems)}")
        if found:
            raise CommandError(f"{len(found)} doctors have wrong entries in the search index; run with --repair.")
        print("The search index is correct.")
