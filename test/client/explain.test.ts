import { ApiError } from '../../templates/client/errors';
import { CommandFailure } from '../../templates/ctl/definition';
import { explain } from '../../templates/ctl/explain';

// Messages of the command line about refused requests.

function refusal(problem: object): ApiError {
  const head = { type: 'about:blank', title: 'Conflict', status: 409 };
  return new ApiError(409, { ...head, ...problem }, new Headers());
}

test('names every field that broke a rule', () => {
  const errors = [{ pointer: '#/spec/sku', rule: 'unique', detail: 'spec.sku is that of another Part' }];
  expect(explain(refusal({ detail: 'refused', errors }))).toBe(
    '409 Conflict: refused\n  #/spec/sku: spec.sku is that of another Part (unique)\n',
  );
});

test('has no control characters, whatever the service has sent', () => {
  expect(explain(new CommandFailure('2 are called "a": \u001b[31m\nmore'))).toBe(
    '2 are called "a": \\u001b[31m\nmore\n',
  );
});

test('names the resources that forbid a deletion', () => {
  const referrers = [{ kind: 'Part', uid: 'par-1', name: 'lamp', pointer: '#/spec/supplier' }];
  expect(explain(refusal({ detail: 'other resources refer to it', referrers }))).toBe(
    '409 Conflict: other resources refer to it\n  Part lamp (par-1): #/spec/supplier\n',
  );
});
