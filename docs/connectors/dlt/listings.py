"""Keeps a copy of the search results in DuckDB: `API=<base URL> KEY=<API key> python listings.py [city]`.

Each run applies the changes since the previous one, and deletes removed listings. The position is part of the state of
the pipeline, which dlt commits with the rows.
"""

import os
import sys
import time

import dlt
from dlt.sources.helpers import requests

LIMIT = int(os.environ.get("PAGE_SIZE", 20))
# The data-use terms require that all listings are read again within 30 days.
MAX_AGE = 28 * 86_400


class PositionExpired(Exception):
    """The copy must begin again."""


@dlt.resource(
    primary_key="id",
    write_disposition="merge",
    columns={
        "id": {"data_type": "bigint"},
        "position": {"data_type": "bigint", "dedup_sort": "desc"},
        "deleted": {"data_type": "bool", "hard_delete": True},
        "city": {"data_type": "text"},
        "listing_type": {"data_type": "text"},
        "price_yearly_sar": {"data_type": "double", "nullable": True},
        "listing": {"data_type": "json", "nullable": True},
    },
)
def listings(api: str, key: str, city: str | None = None):
    state = dlt.current.resource_state()
    if state.setdefault("began", time.time()) < time.time() - MAX_AGE:
        raise PositionExpired
    more = True
    while more:
        params = {"after": state.get("position", "earliest"), "stream": state.get("stream"), "city": city, "limit": LIMIT}
        response = requests.get(
            f"{api}/listings/changes",
            params={name: value for name, value in params.items() if value is not None},
            headers={"Authorization": f"Bearer {key}"},
            # dlt retries 429 and 5xx, and raises other errors.
            hooks={"response": expired},
        )
        page = response.json()
        for row in page["data"]:
            listing = row["listing"]
            yield {
                "id": row["listing_id"],
                "position": row["position"],
                "deleted": listing is None,
                "city": row["city"],
                "listing_type": row["listing_type"],
                "price_yearly_sar": listing and listing["price"]["yearly_sar"],
                "listing": listing,
            }
        state.update(position=page["pagination"]["next"], stream=page["pagination"]["stream"])
        more = page["pagination"]["has_more"]


def expired(response, *_args, **_kwargs):
    if response.status_code == 400 and response.json()["error"]["code"] == "position_expired":
        raise PositionExpired


def is_expired(error: BaseException | None) -> bool:
    return error is not None and (isinstance(error, PositionExpired) or is_expired(error.__cause__ or error.__context__))


def sync(city: str | None = None):
    pipeline = dlt.pipeline("property_listings", destination=dlt.destinations.duckdb("listings.duckdb"), dataset_name="market")
    source = listings(os.environ["API"], os.environ["KEY"], city)
    if pipeline.has_pending_data:
        # Rows of an interrupted run. `run` with a source would load only them.
        pipeline.run()
    try:
        return pipeline.run(source)
    except Exception as error:
        if not is_expired(error):
            raise
        pipeline.drop_pending_packages()
        # Drops the table and the state in the same load.
        return pipeline.run(source, refresh="drop_resources")


if __name__ == "__main__":
    print(sync(*sys.argv[1:2]))
