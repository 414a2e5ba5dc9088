"""The JSON objects of the command line and the exports, built from read-models."""
