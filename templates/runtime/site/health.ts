import type { Request, Response } from 'express';
import { sendJson } from '../http/responses/respond';
import { HttpProblem } from '../model/problem';
import type { Service } from '../service/service';

/** `GET /healthz`: 200 while the process is alive. */
export function healthz(req: Request, res: Response): void {
  res.setHeader('Cache-Control', 'no-store');
  sendJson(req, res, 200, { status: 'ok' });
}

/** Throws HttpProblem 503 if a stop has begun, and StoreUnavailable if the store is not writable. */
export async function checkReady(service: Service): Promise<void> {
  if (service.draining) throw new HttpProblem(503, 'The service is stopping.');
  await service.store.ready();
}

/** `GET /readyz`: 200 if the store is writable and no stop has begun; otherwise 503. */
export async function readyz(service: Service, req: Request, res: Response): Promise<void> {
  await checkReady(service);
  res.setHeader('Cache-Control', 'no-store');
  sendJson(req, res, 200, { status: 'ready' });
}
