"""Rules that OpenAPI cannot express: errors for requests that are valid by their schemas.

Replaces the Schemathesis check `positive_data_acceptance`, which only compares statuses. A 400 is accepted if its code,
parameter and message match an entry of this list, and reported otherwise.
"""

import re

import schemathesis

REFUSALS = [
    # A cursor must be signed by the service for the same list, filters and organization.
    ("invalid_cursor", r"cursor", r""),
    # Cities change without a new OpenAPI document.
    ("unknown_city", r"(homes\[\d+\]\.)?city", r""),
    # Positions of changes are those of the sequence of the installation.
    ("position_expired", r"after|stream", r""),
    # A schema covers a single parameter and cannot compare a minimum with its maximum.
    ("invalid_value", r"(.+_min|since|.+_from)", r"must not be greater than"),
    ("invalid_value", r"quarter_from", r"limited to \d+ quarters"),
    # A schema cannot compare the items of a list.
    ("invalid_value", r"bbox", r"each minimum no greater than its maximum"),
    # The number of map tiles depends on the box and the zoom.
    ("invalid_value", r"bbox", r"covers .+ map tiles"),
    # The parameter is one text with two numbers.
    ("invalid_value", r"near", r"must be lat,lng in degrees"),
    # A schema does not know the borders of the country.
    ("invalid_value", r"bbox", r"has latitude before longitude|is outside Saudi Arabia"),
    ("invalid_value", r"near", r"has longitude before latitude|is outside Saudi Arabia"),
    # A schema covers a single parameter, and does not know text that is a list of points.
    ("invalid_value", r"radius_m|sort", r"requires `near`"),
    ("invalid_value", r"polygon", r""),
    ("invalid_value", r"near_any", r"cannot be combined|must be 1 to \d+ points|has longitude before latitude|has the point .+ outside Saudi Arabia"),
    ("invalid_value", r"(homes\[\d+\]\.)?near", r"both state the place|from the nearest neighborhood"),
    ("missing_parameter", r"near", r"place of the home is required"),
    # One of several parameters is required.
    ("missing_parameter", r"city", r"Or send `bbox`, `near` or `polygon`"),
    ("invalid_value", r"area", r"must be from .+ square meters"),
    # The released document requires neither a field in a change nor the form of email and network addresses.
    ("invalid_body", r"None", r"at least one field to change"),
    ("invalid_value", r"email", r"must be an email address"),
    ("invalid_value", r"ip_allowlist", r"must contain addresses or CIDR ranges"),
    # A link passes the one neighborhood of a listing.
    ("invalid_value", r"neighborhood_id", r"must be 2 to 5 different values"),
    # Ids of directions are those of the gazetteer.
    ("invalid_value", r"direction_id", r"does not exist"),
    # A link passes the id of an object that a response leaves out.
    ("invalid_value", r"id", r"not `None`"),
    # The cost of a call depends on its result, plan and other parameters.
    ("invalid_value", r"max_units", r"but this call can cost \d+ units"),
    # The name of the own organization, and the plans of the installation.
    ("invalid_value", r"name", r"must be the name of the organization"),
    ("invalid_value", r"plan", r"must be one of"),
    # Only punctuation, or too many words.
    ("invalid_value", r"q", r"words to search for"),
    # The maximum page size depends on the plan.
    ("invalid_value", r"limit", r"from 1 to \d+ (with a test key|on the \w+ plan)"),
    # Times: years outside of 1900 to 9999, and times that must be in the future.
    ("invalid_value", r"since|until|updated_since|modified_since", r"ISO 8601 date-time"),
    ("invalid_value", r"expires_at", r"must be in the future"),
    ("invalid_body", r"expires_at", r"ISO 8601 date-time"),
    # The host name of a URL must resolve to a public address, and a deployment may allow further hosts.
    ("invalid_value", r"url", r"https:// URL on the default port"),
    # The filters of an export depend on its dataset.
    ("invalid_body", r"filters(\..+)?", r""),
    ("invalid_value", r"filters\..+", r""),
    ("unknown_city", r"filters\.city", r""),
    # Bodies must not contain text that cannot be stored, or API keys.
    ("invalid_body", r"None", r"not valid Unicode|contains an API key"),
]


@schemathesis.check
def refusals_are_known(ctx, response, case):
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    error = response.json()["error"]
    for code, param, message in REFUSALS:
        if error["code"] == code and re.fullmatch(param, str(error["param"]), re.S) and re.search(message, error["message"]):
            return
    raise AssertionError(f"undocumented error: {error}")
