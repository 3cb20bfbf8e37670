import type { Request, Response } from 'express';
import { HttpProblem } from './problem';
import { sendJson } from './respond';
import type { Service } from './service';

/** `GET /healthz`: the process lives. */
export function healthz(req: Request, res: Response): void {
  sendJson(req, res, 200, { status: 'ok' });
}

/** `GET /readyz`: the store can be written and no stop has begun; otherwise 503. */
export async function readyz(service: Service, req: Request, res: Response): Promise<void> {
  if (service.draining) throw new HttpProblem(503, 'The service is stopping.');
  await service.store.ready();
  sendJson(req, res, 200, { status: 'ready' });
}
