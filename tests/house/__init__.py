"""The rules of the house, tested over the source tree, and the scripts that set it up."""
