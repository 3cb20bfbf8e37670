import type { ConsoleKindSummary, ConsoleService } from '../../../templates/runtime/console/content';

/** Longer names are cut: a title has one short line. */
const LONGEST = 100;

/** Names the document, for its tab and the history of the browser: the page, its kind and the service. */
export function setTitle(
  service: ConsoleService,
  kind: ConsoleKindSummary | undefined,
  page: string | undefined,
): void {
  document.title = [page?.trim().slice(0, LONGEST), kind?.kind ?? 'Console', service.name]
    .filter(Boolean)
    .join(' · ');
}
