import type { JSX } from 'preact';
import { PageLinks } from './page-links';

/** The pages and kinds, next to every page of a wide screen. */
export function Sidebar({ segments }: { segments: string[] }): JSX.Element {
  return (
    <nav class="side" aria-label="Pages and kinds">
      <PageLinks segments={segments} />
    </nav>
  );
}
