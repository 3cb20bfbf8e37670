import type { JSX } from 'preact';
import type { ReferrerEntry } from '../../../templates/client/errors';
import { linkTo } from '../data/route';
import { useConsole } from '../data/service-context';
import { ResourceName } from './resource-name';
import { Text } from './text';

/** The resources that forbid a write because they refer to its target, each with a link to its page. */
export function Referrers({ referrers }: { referrers: readonly ReferrerEntry[] }): JSX.Element | null {
  const { service } = useConsole();
  if (referrers.length === 0) return null;
  return (
    <ul>
      {referrers.map(({ kind, uid, name, pointer }) => {
        // Two groups may have kinds of one name; a problem does not say which it means.
        const [collection, ...others] = service.kinds.filter((each) => each.kind === kind);
        const hasPage = collection !== undefined && others.length === 0;
        const shown = <ResourceName {...{ name, uid }} longest={200} />;
        return (
          <li key={uid + pointer}>
            <span class="soft">{kind}</span>{' '}
            {hasPage ? <a href={linkTo([collection.plural, uid])}>{shown}</a> : shown}{' '}
            <code>
              <Text value={pointer} />
            </code>
          </li>
        );
      })}
    </ul>
  );
}
