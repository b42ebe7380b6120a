"""A client of Authlib as its documentation has it: prints the answer of an API. Its sessions have no discovery."""

import json
import sys

from authlib.integrations.requests_client import OAuth2Session

METHODS = {"basic": "client_secret_basic", "form": "client_secret_post"}

ask = json.load(sys.stdin)
session = OAuth2Session(
    ask["id"],
    ask["secret"] or None,
    token_endpoint_auth_method=METHODS.get(ask["way"], "none"),
)
session.fetch_token(ask["token_endpoint"], **ask["grant"])
print(session.get(ask["api"]).text)
