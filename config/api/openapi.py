"""OpenAPI schema classes that describe the envelope and the error responses."""

from copy import deepcopy
from typing import Any, Literal

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent

from config.api.errors import REGISTRY

ERROR_SCHEMA = {
    "type": "object",
    "required": ["success", "message", "code", "errors", "data", "requestId"],
    "properties": {
        "success": {"type": "boolean", "const": False},
        "message": {"type": "string", "description": "A sentence for a person."},
        "code": {"type": "string", "enum": sorted(REGISTRY)},
        "errors": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
            "description": "What is wrong with which field, by wire name; nested names are joined with dots.",
        },
        "data": {"type": "object", "additionalProperties": {}, "description": "What helps to go on, by code."},
        "requestId": {"type": "string"},
    },
}


class WireSchema(AutoSchema):
    """Wrap each successful response in the envelope and add the possible errors."""

    def _get_response_for_code(
        self, serializer: Any, status_code: Any, media_types: Any = None, direction: str = "response"
    ) -> Any:
        response = super()._get_response_for_code(serializer, status_code, media_types, direction)  # type: ignore[no-untyped-call]  # spectacular has no types here
        if not response.get("content") and str(status_code) in {"200", "201"}:
            response["content"] = {"application/json": {}}
        for media_type, content in response.get("content", {}).items():
            if media_type == "application/json":
                content["schema"] = {
                    "type": "object",
                    "required": ["success", "message", "data"],
                    "properties": {
                        "success": {"type": "boolean", "const": True},
                        "message": {"type": "string"},
                        "data": content.get("schema") or {"type": "object"},
                    },
                }
        return response

    def _is_list_view(self, serializer: Any = None) -> bool:
        # Lists stand under a key of `data`, beside their paging.
        return False

    def _map_basic_serializer(self, serializer: Any, direction: str) -> dict[str, Any]:
        schema: dict[str, Any] = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]  # as above
        if direction == "response" and schema.get("properties"):
            # Responses contain every field, apart from those that the serializer lists as absent for some readers.
            optional = set(getattr(serializer, "absent_for_some", ()))
            schema["required"] = sorted(set(schema["properties"]) - optional)
        for name, field in schema.get("properties", {}).items():
            if name == "_id":
                field.pop("title", None)
        return schema

    def _get_response_bodies(self, direction: Literal["request", "response"] = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        # A copy, since post-processing hooks modify the schema in place.
        component = ResolvedComponent(
            name="Error", type=ResolvedComponent.SCHEMA, schema=deepcopy(ERROR_SCHEMA), object="config.api.errors.Error"
        )
        self.registry.register_on_missing(component)
        for status in self.error_statuses():
            bodies.setdefault(
                status,
                {
                    "description": ", ".join(sorted(code for code, (s, _) in REGISTRY.items() if str(s) == status)),
                    "content": {"application/json": {"schema": component.ref}},
                },
            )
        return bodies

    def error_statuses(self) -> list[str]:
        """Return the error statuses of this operation."""
        statuses = ["400", "404", "405", "406", "429", "503"]
        # An invalid token is an error even where none is required.
        if self.view.get_authenticators():
            statuses += ["401", "403"]
        statuses += getattr(self.view, "extra_error_statuses", ())
        if self.method in {"POST", "PUT", "DELETE"}:
            statuses += ["409", "413", "415"]
        return sorted(set(statuses))


class SessionTokenScheme(OpenApiAuthenticationExtension):
    """Name the bearer token in the schema."""

    target_class = "accounts.authentication.SessionTokenAuthentication"
    name = "bearer"
    match_subclasses = True

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
