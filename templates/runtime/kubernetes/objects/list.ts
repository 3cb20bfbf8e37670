import { type Pieces, sendArray } from '../../api/reads/json-array';
import { ListMemory } from '../../api/reads/list-memory';
import { placeOf, type RowChunk } from '../../api/reads/list-rows';
import { listShown } from '../../api/reads/list-texts';
import { authorise, isAsked } from '../../api/request/access';
import { scopeOf } from '../../api/request/label-scope';
import type { ListQuery, StoredResource } from '../../store/store';
import { apiVersionOf, type KubernetesContext } from '../face/face';
import { type Form, formOf } from './form';
import { type Asked, askedPart } from './list-parameters';
import { headersOf, shownRows, tableForm } from './send-object';

/** GET of a collection: objects in the order of their names, whole or a page of them, in the form that is asked for. */
export async function listObjects(context: KubernetesContext): Promise<void> {
  const { service } = context;
  const form = formOf(context.req);
  const asked = await askedPart(context);
  await authorise(context, 'canList');
  const memory = new ListMemory(service, context.res);
  const page = new Page(context, asked, memory);
  await sendArray(context, page.pieces(shownRows(context, form)), headersOf(context), memory, {
    start: startOf(context, form),
    separator: ',',
    end: () => `],"metadata":${JSON.stringify(page.metadata())}}`,
  });
}

/** Returns the start of a list in some form, up to its first element. */
function startOf(context: KubernetesContext, form: Form): string {
  if (form === 'table') return tableForm(context).start();
  const [kind, apiVersion] =
    form === 'metadata'
      ? ['PartialObjectMetadataList', 'meta.k8s.io/v1']
      : [`${context.kind.kind}List`, apiVersionOf(context)];
  return `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"items":[`;
}

/** A page of a list while it is sent. */
class Page {
  #last: StoredResource | undefined;

  constructor(
    private readonly context: KubernetesContext,
    private readonly asked: Asked,
    private readonly memory: ListMemory,
  ) {}

  /** Yields the texts of the page's elements. */
  async *pieces(textOf: (row: StoredResource) => string): Pieces {
    const { context, memory } = this;
    const { query, limit } = this.asked;
    let left = limit;
    let last: StoredResource | undefined;
    // A page is as if what the caller may not get did not exist: its end would reveal that.
    const isChosen = isAsked(context, 'canGet');
    const rows = { ...query, limit: isChosen ? Infinity : limit };
    for await (const chunk of listScoped(context, rows, memory)) {
      const taken = chunk.rows.slice(0, left);
      left -= taken.length;
      last = taken.at(-1) ?? last;
      yield { joined: taken.map(textOf).join(',') };
      const follows = taken.length < chunk.rows.length || (!isChosen && chunk.next !== undefined);
      if (left > 0 || !follows) continue;
      this.#last = last;
      return;
    }
  }

  /** Returns the metadata of the list, once all pieces are taken. */
  metadata(): { resourceVersion: string; continue?: string } {
    const { revision, cursorAt } = this.asked;
    const last = this.#last;
    return {
      resourceVersion: revision,
      ...(last && { continue: `${revision}.${cursorAt(placeOf(last))}` }),
    };
  }
}

/** Yields the rows of a list that the caller may get, in chunks that are read on demand. */
export function listScoped(
  context: KubernetesContext,
  query: ListQuery,
  memory: ListMemory,
): AsyncGenerator<RowChunk, void, void> {
  const selector = [...query.selector, ...scopeOf(context.req)];
  const { service, urlVersion: version } = context;
  return listShown({ service, context, version, memory }, { ...query, selector });
}
