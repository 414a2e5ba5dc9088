"""The supersession graph: forest, problems, layout, exports. Pure: no SQL, no Qt, no clock."""
