import type { JSX } from 'preact';
import type { ConsoleKindSummary } from '../../../../templates/runtime/console/content';
import { linkTo } from '../../data/route';

/** The versions of a kind, each a link to its list. */
export function VersionChips({ kind }: { kind: ConsoleKindSummary }): JSX.Element {
  return (
    <span class="chips">
      {kind.versions.map(({ version, stability, deprecated }) => {
        const notes = [
          ...(version === kind.storageVersion && kind.versions.length > 1 ? ['storage'] : []),
          ...(deprecated === undefined ? [] : ['deprecated']),
        ];
        return (
          <a key={version} class={`chip ${stability}`} href={linkTo([kind.plural], { version })}>
            {[version, ...notes].join(' · ')}
          </a>
        );
      })}
    </span>
  );
}
