"""Everything that talks to a store file: driver, opening, transactions, reads."""
