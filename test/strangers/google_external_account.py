"""A client of google-auth as its documentation has it: prints the answer of an API."""

import sys

import google.auth
from google.auth.transport.requests import AuthorizedSession

_, configuration, api = sys.argv
credentials, _ = google.auth.load_credentials_from_file(configuration)
print(AuthorizedSession(credentials).get(api).text)
