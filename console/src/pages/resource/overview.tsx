import type { ComponentChildren, JSX } from 'preact';
import type { ConsoleVersion } from '../../../../templates/runtime/console/content';
import type { Resource } from '../../data/api';
import { Age } from '../../parts/age';
import { Fields } from '../../parts/field-value';
import { Labels } from '../../parts/labels';
import { LinkButton } from '../../parts/link-button';

interface OverviewProps {
  resource: Resource;
  details: ConsoleVersion;
  /** The link to the editor of the status; undefined where nobody writes one. */
  statusLink: string | undefined;
  /** Why the user may not write the status. */
  statusRefusal: string | undefined;
}

/** Metadata, spec and status of a resource. */
export function Overview({ resource, details, statusLink, statusRefusal }: OverviewProps): JSX.Element {
  const { metadata, spec, status = {} } = resource;
  const { types } = details;
  return (
    <div class="overview">
      <section class="card" aria-label="Spec">
        <h2>Spec</h2>
        <Fields value={spec} schema={details.spec} types={types} depth={0} showsAbsent />
      </section>
      <section class="card" aria-label="Status">
        <div class="card-head">
          <h2>Status</h2>
          {statusLink && (
            <LinkButton link={statusLink} refusal={statusRefusal}>
              Edit status
            </LinkButton>
          )}
        </div>
        {Object.keys(details.status.properties ?? {}).length + Object.keys(status).length === 0 ? (
          <p class="soft">This kind has no status.</p>
        ) : (
          <Fields value={status} schema={details.status} types={types} depth={0} showsAbsent />
        )}
      </section>
      <MetadataCard metadata={metadata} />
    </div>
  );
}

function MetadataCard({ metadata }: { metadata: Resource['metadata'] }): JSX.Element {
  const { uid, createdAt, updatedAt, generation, labels = {}, annotations } = metadata;
  const { deletionTimestamp, finalizers, ownerReferences } = metadata;
  return (
    <section class="card wide" aria-label="Metadata">
      <h2>Metadata</h2>
      <dl class="fields">
        <Fact name="uid">
          <code>{uid}</code>
        </Fact>
        <Fact name="created">
          <Moment time={createdAt} />
        </Fact>
        <Fact name="updated">
          <Moment time={updatedAt} />
        </Fact>
        <Fact name="generation">{generation}</Fact>
        <Fact name="labels">
          <Labels labels={labels} />
        </Fact>
        {deletionTimestamp !== undefined && (
          <Fact name="deletion">
            <Moment time={deletionTimestamp} />
          </Fact>
        )}
        {finalizers !== undefined && <Fact name="finalizers">{finalizers.join(', ')}</Fact>}
        {ownerReferences !== undefined && (
          <Fact name="owners">{ownerReferences.map(({ kind, name }) => `${kind} ${name}`).join(', ')}</Fact>
        )}
        {annotations !== undefined && (
          <Fact name="annotations">
            <Fields value={annotations} schema={undefined} types={{}} depth={1} />
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Moment({ time }: { time: string }): JSX.Element {
  return (
    <>
      {time}{' '}
      <span class="soft">
        · <Age time={time} />
      </span>
    </>
  );
}
