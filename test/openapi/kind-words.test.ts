import { loadProject } from '../../src/load/load-project';
import type { JsonObject } from '../../src/model/project';
import { withArticle } from '../../src/openapi/components';
import { documentOf } from './document-of';

test.each(['a Device', 'an Item', 'an Order', 'a User', 'a Unit', 'an Upload', 'an Update', 'a Zone'])(
  '%s',
  (want) => {
    expect(withArticle(want.split(' ')[1])).toBe(want);
  },
);

test('the path of a kind with unique names takes the uid or the name', () => {
  const text = `name: shop
groups:
  - kinds:
      - { name: Part, names: unique, versions: { v1: { spec: {} } } }
      - { name: Item, versions: { v1: { spec: {} } } }
`;
  const document = documentOf(loadProject('.', text).project);
  const { parameters } = document['components'] as { parameters: { [name: string]: JsonObject } };
  const described = ['/parts/{uid}', '/parts/{uid}/status', '/items/{uid}'].map((path) => {
    const { put } = (document['paths'] as { [path: string]: { put: { parameters: { $ref: string }[] } } })[
      path
    ];
    return parameters[put.parameters[0].$ref.split('/').at(-1)!]['description'];
  });
  const either = 'The uid or the name of the resource.';
  expect(described).toEqual([either, either, 'The uid of the resource.']);
});
