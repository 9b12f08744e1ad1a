"""What the OpenAPI document cannot say: refusals of requests that are valid by their schemas.

Takes the place of Schemathesis' check `positive_data_acceptance`, which knows statuses only: a 400 is right where its
code, parameter and message are one of these, and a finding anywhere else.
"""

import re

import schemathesis

REFUSALS = [
    # A cursor is one that the service signed, for this list, these filters and this organization.
    ("invalid_cursor", r"cursor", r""),
    # Cities come and go without a new document.
    ("unknown_city", r"city", r""),
    # A schema sees one parameter at a time: a minimum may not be above its maximum.
    ("invalid_value", r"(.+_min|since|.+_from)", r"must not be above"),
    ("invalid_value", r"quarter_from", r"At most \d+ quarters"),
    # Nor can it hold the items of a list against each other.
    ("invalid_value", r"bbox", r"each minimum no greater than its maximum"),
    # Words that are only punctuation, or too many of them.
    ("invalid_value", r"q", r"words to search for"),
    # The largest page is the plan's.
    ("invalid_value", r"limit", r"at most \d+ (with a test key|on the \w+ plan)"),
    # Moments: years outside of 1900 to 2200, and what has to lie in the future.
    ("invalid_value", r"since|until|updated_since|modified_since", r"ISO 8601 date-time"),
    ("invalid_value", r"expires_at", r"must be in the future"),
    ("invalid_body", r"expires_at", r"ISO 8601 date-time"),
    # Where an address leads is found out by asking for its name, and a deployment may allow hosts of its own.
    ("invalid_value", r"url", r"https:// address on the default port"),
    # Which filters an export takes depends on its dataset.
    ("invalid_body", r"filters(\..+)?", r""),
    ("invalid_value", r"filters\..+", r""),
    ("unknown_city", r"filters\.city", r""),
    # Not ours: in stateful tests Schemathesis repeats a parameter for a list that it took from another call, where the
    # document says `explode: false`.
    ("invalid_value", r".+", r"is given more than once\. Separate several values with commas"),
    # Bodies hold no text that cannot be stored, and no keys.
    ("invalid_body", r"None", r"not Unicode text|API key in it"),
]


@schemathesis.check
def refusals_are_known(ctx, response, case):
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    error = response.json()["error"]
    for code, param, message in REFUSALS:
        if error["code"] == code and re.fullmatch(param, str(error["param"]), re.S) and re.search(message, error["message"]):
            return
    raise AssertionError(f"refused for no known reason: {error}")
