"""An operator: it makes devices ready, and lets them go when they are deleted."""

import kopf


@kopf.on.create("example.svc.dev", "v1", "devices")
@kopf.on.update("example.svc.dev", "v1", "devices")
def reconcile(patch, **_):
    patch.status["phase"] = "Ready"


@kopf.on.delete("example.svc.dev", "v1", "devices")
def release(logger, **_):
    logger.info("released")
