"""The demonstration provider of accounts, for development: an OpenID Connect provider where anybody is whoever he says."""
