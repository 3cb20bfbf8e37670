"""What Schemathesis cannot know of a service."""

import schemathesis


@schemathesis.hook
def map_query(context, query):
    """A dry run creates and deletes nothing, although its response says so: checks that follow resources would report it."""
    if query and query.get("dryRun") in ("true", "All"):
        query["dryRun"] = "false"
    return query


@schemathesis.hook
def filter_case(context, case):
    """In what creates or replaces a resource, null stands for an absent member: such a body may be valid after all."""
    is_negative = case.meta is not None and case.meta.generation.mode.is_negative
    return not (is_negative and case.method.upper() in ("POST", "PUT") and has_null(case.body))


def has_null(value):
    """Whether a member of a body, at any depth, is null."""
    if isinstance(value, dict):
        return any(member is None or has_null(member) for member in value.values())
    return isinstance(value, list) and any(has_null(element) for element in value)


@schemathesis.check
def no_defect(ctx, response, case):
    """A patch whose result is no resource returns 500, as the requirement says. Any other is a defect."""
    is_specified = case.method.upper() == "PATCH" and "The patched document is not a resource" in response.text
    assert response.status_code < 500 or is_specified, f"{response.status_code}: {response.text}"
