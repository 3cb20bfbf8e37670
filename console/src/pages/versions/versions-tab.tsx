import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ConsoleKindSummary, ConsoleVersion } from '../../../../templates/runtime/console/content';
import type { JsonObject } from '../../../../templates/runtime/model/schema';
import type { Tagged } from '../../data/api';
import { readResource } from '../../data/resource';
import { goTo } from '../../data/route';
import { useConsole } from '../../data/service-context';
import { type Loaded, useLoad } from '../../data/use-load';
import { MergePanel } from '../../edit/merge/merge-panel';
import { SaveBar } from '../../edit/save-bar';
import { specSubject, type Subject } from '../../edit/work/subject';
import { type Editing, useEditing } from '../../edit/work/use-editing';
import { ActionButton } from '../../parts/action-button';
import { Loading } from '../../parts/loading';
import { ProblemBox } from '../../parts/problem';
import { Text } from '../../parts/text';
import { Cell } from './cell';
import { type VersionRow, versionRows } from './rows';

type Current = Loaded<Tagged> & { value: Tagged };

interface VersionsTabProps {
  kind: ConsoleKindSummary;
  /** The version of the page, on the left. */
  version: string;
  details: { [version: string]: ConsoleVersion };
  read: Current;
  /** `with`, the version on the right, and `edit`, the version that is being edited. */
  query: URLSearchParams;
  /** Returns the link to this tab with other parameters. */
  link: (changes: { with?: string; edit?: string }) => string;
  refusal: string | undefined;
}

/** A resource in two versions, side by side, with the rules between them; either can be edited. */
export function VersionsTab(props: VersionsTabProps): JSX.Element {
  const { kind, version, read, query } = props;
  const { session } = useConsole();
  const others = kind.versions.map((each) => each.version).filter((each) => each !== version);
  const right = others.find((each) => each === query.get('with')) ?? others[0];
  const { uid } = read.value.resource.metadata;
  const other = useLoad(
    (signal) => readResource({ ...kind, version: right }, uid, signal),
    [kind.plural, right, uid, session],
  );
  const shown = useRef(read.value.etag);
  useEffect(() => {
    // While it is read again, its last value stays.
    if (shown.current !== read.value.etag) other.reload();
    shown.current = read.value.etag;
  }, [read.value.etag]);
  return (
    <>
      {other.error !== undefined && <ProblemBox error={other.error} retry={other.reload} />}
      {other.value === undefined && other.isLoading && <Loading lines={10} />}
      {other.value !== undefined && (
        <Sides key={right} {...props} {...{ right, others }} other={{ ...other, value: other.value }} />
      )}
    </>
  );
}

interface SidesProps extends VersionsTabProps {
  right: string;
  others: string[];
  other: Current;
}

/** One version of the resource, with its unsaved changes. */
interface Side {
  version: string;
  read: Current;
  subject: Subject;
  editing: Editing;
}

/** One side of the table, which may be edited. */
function useSide({
  kind,
  version,
  details,
  read,
}: Pick<VersionsTabProps, 'kind' | 'version' | 'details' | 'read'>): Side {
  const subject = useMemo(() => specSubject(details[version]), [details, version]);
  return { version, read, subject, editing: useEditing({ ...kind, version }, subject, read) };
}

function Sides(props: SidesProps): JSX.Element {
  const { kind, version, right, details, read, other, query, link, refusal } = props;
  // A save on one side changes the other one, too.
  const reads = [read, other].map((own) => ({
    ...own,
    replace: (value: Tagged) => {
      own.replace(value);
      read.reload();
    },
  }));
  const sides: Side[] = [
    useSide({ kind, version, details, read: reads[0] }),
    useSide({ kind, version: right, details, read: reads[1] }),
  ];
  const edited = sides.find((side) => side.version === query.get('edit'));
  const choice = query.get('with') ?? undefined;
  const merge = edited?.editing.merge;
  if (edited !== undefined && merge !== undefined)
    return <MergePanel {...edited} base={edited.editing.work.base ?? edited.read.value} merge={merge} />;
  return (
    <div class="editing">
      <SidesTable
        {...props}
        {...{ sides, edited }}
        onChoose={(version) => goTo(link({ with: version }))}
        onEdit={(edit) => goTo(link({ with: choice, edit }))}
      />
      {edited !== undefined && (
        <SaveBar
          state={edited.editing}
          shape={edited.subject.shape}
          refusal={refusal}
          saveTitle={`Save ${edited.version}`}
          discardTitle="Discard changes"
        />
      )}
    </div>
  );
}

interface SidesTableProps extends SidesProps {
  sides: Side[];
  edited: Side | undefined;
  onChoose: (version: string) => void;
  onEdit: (version: string | undefined) => void;
}

function SidesTable(props: SidesTableProps): JSX.Element {
  const { kind, version, right, others, details, refusal, sides, edited, onChoose, onEdit } = props;
  const rows = useMemo(() => versionRows(details[version], details[right]), [details, version, right]);
  return (
    <div class="table-box" role="group" aria-label="Versions side by side" tabIndex={0}>
      <table class={edited === undefined ? 'versions' : 'versions edited'}>
        <thead>
          <tr>
            {sides.map((side, index) => (
              <SideHead
                key={side.version}
                {...{ kind, refusal, onChoose, version: side.version, isEdited: side === edited }}
                isDirty={side.editing.isDirty}
                others={index === 1 ? others : []}
                onEdit={() => onEdit(side === edited ? undefined : side.version)}
              />
            ))}
            <th scope="col">Rule</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={[...row.left, '', ...row.right].join(' ')} {...{ row, version, right }}>
              {sides.map((side, index) => (
                <td key={side.version} data-version={side.version}>
                  <Cell
                    paths={index === 0 ? row.left : row.right}
                    resource={side.read.value.resource as unknown as JsonObject}
                    details={details[side.version]}
                    editing={side === edited ? side.editing : undefined}
                  />
                </td>
              ))}
            </Row>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface SideHeadProps {
  kind: ConsoleKindSummary;
  version: string;
  /** The versions to choose from; none where the page chooses. */
  others: string[];
  isEdited: boolean;
  isDirty: boolean;
  refusal: string | undefined;
  onChoose: (version: string) => void;
  onEdit: () => void;
}

function SideHead(props: SideHeadProps): JSX.Element {
  const { kind, version, others, isEdited, isDirty, refusal, onChoose, onEdit } = props;
  return (
    <th scope="col">
      <span class="side-head">
        {others.length > 1 ? (
          <select
            aria-label="Other version"
            value={version}
            onChange={({ currentTarget: { value } }) => onChoose(value)}
          >
            {others.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        ) : (
          <strong>{version}</strong>
        )}
        <span>{version === kind.storageVersion ? 'storage version' : ''}</span>
        {isDirty && !isEdited && <span class="mark">not saved</span>}
        <ActionButton refusal={isEdited ? undefined : refusal} onClick={onEdit}>
          {isEdited ? 'Stop editing' : `Edit ${version}`}
        </ActionButton>
      </span>
    </th>
  );
}

interface RowProps {
  row: VersionRow;
  version: string;
  right: string;
  children: JSX.Element[];
}

function Row({ row, version, right, children }: RowProps): JSX.Element {
  const isSame = row.rules.length === 0;
  return (
    <tr class={isSame ? 'same' : 'differs'}>
      {children}
      <td>
        {isSame && <span class="soft">same</span>}
        {row.rules.map(({ path, there, back }) => (
          <div key={path} class="rule">
            {(row.rules.length > 1 || /[[{*]/.test(path)) && (
              <p class="soft">
                <Text value={path} longest={200} />
              </p>
            )}
            {there === back ? (
              <Direction title={`${version} ↔ ${right}`} text={there} />
            ) : (
              <>
                <Direction title={`${version} → ${right}`} text={there} />
                <Direction title={`${right} → ${version}`} text={back} />
              </>
            )}
          </div>
        ))}
      </td>
    </tr>
  );
}

function Direction({ title, text }: { title: string; text: string }): JSX.Element | null {
  if (text === '') return null;
  return (
    <p>
      <span class="soft">{title}</span> <Text value={text} longest={500} />
    </p>
  );
}
