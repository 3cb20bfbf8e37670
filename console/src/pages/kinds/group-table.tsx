import type { JSX } from 'preact';
import type { ConsoleKindSummary } from '../../../../templates/runtime/console/content';
import { linkTo } from '../../data/route';
import { useConsole } from '../../data/service-context';
import type { ResourceEvent } from '../../data/use-events';
import { useLoad } from '../../data/use-load';
import { Age } from '../../parts/age';
import { ResourceName } from '../../parts/resource-name';
import { readFacts, reasonOf } from './facts';
import { VersionChips } from './version-chips';

interface GroupTableProps {
  group: string;
  kinds: ConsoleKindSummary[];
  /** The changes since the page was opened, the newest first. */
  changes: ResourceEvent[];
  /** True if any kind of the service can show its last change. */
  showsChanges: boolean;
}

/** The kinds of a group. */
export function GroupTable({ group, kinds, changes, showsChanges }: GroupTableProps): JSX.Element {
  return (
    <section>
      <h2>{group}</h2>
      <div class="table-box">
        <table class="kinds">
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col" class="number">
                Resources
              </th>
              <th scope="col">Versions</th>
              {showsChanges && (
                <th scope="col" class="last">
                  Last change
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {kinds.map((kind) => (
              <KindRow
                key={kind.plural}
                kind={kind}
                showsChanges={showsChanges}
                last={changes.find(
                  ({ data }) =>
                    data.resourceKind === kind.kind && data.resource.apiVersion.startsWith(`${kind.group}/`),
                )}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface KindRowProps extends Pick<GroupTableProps, 'showsChanges'> {
  kind: ConsoleKindSummary;
  last: ResourceEvent | undefined;
}

function KindRow({ kind, showsChanges, last }: KindRowProps): JSX.Element {
  const { session } = useConsole();
  // A change may change the number of resources.
  const counted = last?.data.action === 'updated' ? undefined : last?.id;
  const { value, error } = useLoad((signal) => readFacts(kind, signal), [kind.plural, session, counted]);
  return (
    <tr>
      <th scope="row">
        <a href={linkTo([kind.plural])}>{kind.kind}</a>
        {kind.description !== '' && <p class="soft note">{kind.description}</p>}
      </th>
      <td class="number">
        {error === undefined ? (
          <span aria-busy={value === undefined}>{value?.count ?? '…'}</span>
        ) : (
          <span title={reasonOf(error)}>–</span>
        )}
      </td>
      <td>
        <VersionChips kind={kind} />
      </td>
      {showsChanges && (
        <td class="last">
          <LastChange kind={kind} metadata={last?.data.resource.metadata ?? value?.changed?.metadata} />
        </td>
      )}
    </tr>
  );
}

interface LastChangeProps {
  kind: ConsoleKindSummary;
  metadata: { name: string; uid: string; updatedAt: string } | undefined;
}

function LastChange({ kind, metadata }: LastChangeProps): JSX.Element {
  if (metadata === undefined) return <span class="soft">–</span>;
  return (
    <>
      <a href={linkTo([kind.plural, metadata.uid])}>
        <ResourceName {...metadata} longest={100} />
      </a>{' '}
      <span class="soft">
        <Age time={metadata.updatedAt} />
      </span>
    </>
  );
}
