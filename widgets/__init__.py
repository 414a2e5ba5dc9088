"""Views, item models and delegates: read-models in, signals out."""
