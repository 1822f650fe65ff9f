# A program that uses Debian's sentry_sdk as its users do.
import logging
import os

import sentry_sdk

sentry_sdk.init(
    dsn=os.environ["TEST_DSN"], release="billing@2.0", environment="test", traces_sample_rate=1.0
)


def load(rows):
    return rows["sku"]


logging.getLogger("shop").warning("stock is low")
try:
    load({})
except KeyError as cause:
    try:
        raise ValueError("cannot bill") from cause
    except ValueError as error:
        sentry_sdk.capture_exception(error)
logging.getLogger("shop").error("lost order %s", 7)
load({})
