"""An operator: it makes devices with ports ready, and lets them go when they are deleted."""

import kopf

DEVICES = ("example.svc.dev", "v1", "devices")


@kopf.on.resume(*DEVICES)
@kopf.on.create(*DEVICES)
@kopf.on.update(*DEVICES, field="spec")
def reconcile(spec, patch, **_):
    patch.status["phase"] = "Ready" if spec.get("ports") else "Pending"


@kopf.on.delete(*DEVICES)
def release(logger, **_):
    logger.info("released")
