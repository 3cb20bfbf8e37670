import type { ComponentChildren, JSX } from 'preact';

/** Placeholder of a page that is read: lines that stand where its content will. */
export function Loading({ lines = 6 }: { lines?: number }): JSX.Element {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} class="loading-line" />
      ))}
    </div>
  );
}

/** Placeholder of a list without entries. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <strong>{title}</strong>
      <p>{children}</p>
    </div>
  );
}
