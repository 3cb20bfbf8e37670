import { z } from 'zod';

/** What the two services with Express have in common: the Device in zod, and a merge patch. */

export const Spec = z.strictObject({
  name: z.string(),
  location: z.string(),
  model: z.string().optional(),
  config: z.record(z.string(), z.string()).optional(),
});

export const Labels = z.record(z.string(), z.string());

export const Body = z.strictObject({
  apiVersion: z.string().optional(),
  kind: z.literal('Device').optional(),
  metadata: z.object({ name: z.string().optional(), labels: Labels.optional() }).optional(),
  spec: Spec,
});

export function resourceOf(row) {
  const { uid, name, createdAt, updatedAt, labels, spec, status } = row;
  const metadata = { name, uid, createdAt, updatedAt, generation: row.version, labels };
  return { apiVersion: 'example.svc.dev/v1', kind: 'Device', metadata, spec, status };
}

export const etagOf = (row) => `"${row.version}"`;

export function sendResource(res, row) {
  res
    .set({ ETag: etagOf(row), 'Last-Modified': new Date(row.updatedAt).toUTCString() })
    .json(resourceOf(row));
}

/** Throws the errors that become 404 or 412. */
export function checkMatch(req, row) {
  if (row === undefined) throw Object.assign(new Error('Device not found'), { status: 404 });
  const ifMatch = req.get('If-Match');
  if (ifMatch !== undefined && ifMatch !== etagOf(row)) {
    throw Object.assign(new Error('The device has changed'), { status: 412 });
  }
}

export function mergePatch(target, patch) {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const merged = typeof target === 'object' && target !== null ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

export function answerError(error, _req, res, _next) {
  if (error instanceof z.ZodError) res.status(400).json({ errors: error.issues });
  else res.status(error.status ?? 500).json({ error: error.status ? error.message : 'Internal error' });
}
