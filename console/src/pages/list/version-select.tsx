import type { JSX } from 'preact';
import type { ConsoleKindSummary } from '../../../../templates/runtime/console/content';

interface VersionSelectProps {
  kind: ConsoleKindSummary;
  version: string;
  onChoose: (version: string) => void;
}

/** The choice of a version, for a kind with several. */
export function VersionSelect({ kind, version, onChoose }: VersionSelectProps): JSX.Element | null {
  if (kind.versions.length === 1) return null;
  return (
    <select aria-label="Version" value={version} onChange={({ currentTarget: { value } }) => onChoose(value)}>
      {kind.versions.map(({ version, deprecated }) => {
        const note =
          version === kind.storageVersion ? ' (storage)' : deprecated === undefined ? '' : ' (deprecated)';
        return (
          <option key={version} value={version}>
            {version + note}
          </option>
        );
      })}
    </select>
  );
}
