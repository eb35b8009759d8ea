"""Views and serializers of the admin dashboard, and the public site configuration."""
