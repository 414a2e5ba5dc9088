"""Why a memory ranked where it did."""
