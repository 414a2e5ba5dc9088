"""The search box's language: filters that narrow, text that ranks; facets made of filters."""
