"""What all API views share: errors, fields, pagination, parsing, rendering and the OpenAPI schema."""
