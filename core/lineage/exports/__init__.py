"""The lineage as files: JSON, DOT, SVG. A picture in pixels is the window's."""
