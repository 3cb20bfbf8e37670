import sys

from shop_client import AuthenticatedClient
from shop_client.api.device_v_1 import create_device_v1, get_device_v1, list_devices_v1
from shop_client.api.device_v_2_beta_1 import get_device_v2_beta_1
from shop_client.models import (
    DeviceV1Input,
    DeviceV1Spec,
    MetadataInput,
    MetadataInputLabels,
)

url, token = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=token)
labels = MetadataInputLabels.from_dict({"made": "openapi-python-client"})
created = create_device_v1.sync(
    client=client,
    body=DeviceV1Input(metadata=MetadataInput(labels=labels), spec=DeviceV1Spec(name="lamp", location="hall")),
)
uid = created.metadata.uid
assert get_device_v2_beta_1.sync(uid, client=client).spec.site == "hall"


listed = list_devices_v1.sync(client=client, label_selector="made=openapi-python-client")
assert [device.spec.location for device in listed] == ["hall"]
assert get_device_v1.sync_detailed("dev-0000000000000000", client=client).status_code == 404
