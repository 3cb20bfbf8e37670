import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useConsole } from '../../data/service-context';
import { Empty } from '../../parts/loading';
import { useKeys } from '../../parts/use-keys';
import { Changes } from './changes';
import { GroupTable } from './group-table';
import { useChanges } from './use-changes';

/** More kinds than this can be filtered. */
const FEW = 8;

/** The first page: every kind with its number of resources, its versions and its last change. */
export function KindsPage(): JSX.Element {
  const { service } = useConsole();
  const { kinds } = service;
  const { changes, live } = useChanges();
  const showsChanges = live !== 'off' || kinds.some(({ sorts }) => sorts);
  const [filter, setFilter] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => field.current?.focus() });
  const wanted = filter.trim().toLowerCase();
  const shown = kinds.filter((kind) =>
    [kind.kind, kind.plural, kind.group].some((text) => text.toLowerCase().includes(wanted)),
  );
  const groups = [...new Set(shown.map(({ group }) => group))];
  return (
    <>
      <div class="head">
        <h1>Kinds</h1>
        {kinds.length > FEW && (
          <input
            ref={field}
            type="search"
            aria-label="Filter the kinds"
            placeholder="Filter  /"
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        )}
      </div>
      {kinds.length === 0 && (
        <Empty title="This service has no kinds yet">
          Add one with <code>svcgen add kind</code>.
        </Empty>
      )}
      {kinds.length > 0 && shown.length === 0 && <Empty title="No kind has this name" />}
      {groups.map((group) => (
        <GroupTable
          key={group}
          {...{ group, changes, showsChanges }}
          kinds={shown.filter((kind) => kind.group === group)}
        />
      ))}
      {'events' in service.links && kinds.length > 0 && <Changes changes={changes} live={live} />}
    </>
  );
}
