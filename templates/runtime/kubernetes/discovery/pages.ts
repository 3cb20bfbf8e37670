import type { Request } from 'express';
import type { Page } from '../../http/responses/page';
import { send, sendJson } from '../../http/responses/respond';
import { checkReady } from '../../site/health';
import { type Face, ROOT } from '../face/face';
import { acceptedRanges, isJson } from '../objects/form';
import { CORE_GROUP, CORE_RESOURCES, CORE_VERSIONS, VERSION } from './core';
import {
  aggregated,
  type AggregatedVersion,
  discoveryList,
  groupList,
  groupOf,
  kindsIn,
  resourceList,
} from './groups';

/** Returns the pages that describe the API, by path. They show no data. */
export function discoveryPages(face: Face): Map<string, Page> {
  const { service, kinds } = face;
  const { groups } = service.definition;
  const pages = new Map<string, Page>();
  const add = (path: string, value: () => object): void => {
    pages.set(`/${ROOT}${path}`, (req, res) => sendJson(req, res, 200, value()));
  };
  const addNegotiated = (
    path: string,
    value: object,
    together: (version: AggregatedVersion) => object,
  ): void => {
    pages.set(`/${ROOT}${path}`, (req, res) => {
      const version = aggregatedVersion(req);
      const headers = { 'Content-Type': contentType(version), Vary: 'Accept' };
      send(req, res, 200, headers, JSON.stringify(version === undefined ? value : together(version)));
    });
  };
  add('/version', () => VERSION);
  addNegotiated('/api', CORE_VERSIONS, (version) => discoveryList([CORE_GROUP], version));
  add('/api/v1', () => CORE_RESOURCES);
  addNegotiated('/apis', groupList(groups), (version) => aggregated(groups, kinds, version));
  for (const group of groups) {
    add(`/apis/${group.name}`, () => groupOf(group));
    for (const version of group.versions)
      add(`/apis/${group.name}/${version}`, () =>
        resourceList(`${group.name}/${version}`, kindsIn(kinds, group.name, version)),
      );
  }
  const sendOk: Page = (_req, res) => void res.type('text/plain').send('ok');
  pages.set(`/${ROOT}/livez`, sendOk);
  pages.set(`/${ROOT}/healthz`, sendOk);
  pages.set(`/${ROOT}/readyz`, async (req, res) => {
    await checkReady(service);
    return sendOk(req, res);
  });
  return pages;
}

/** Returns the media type of discovery: clients tell by it whether they got everything at once. */
function contentType(version: AggregatedVersion | undefined): string {
  return version === undefined
    ? 'application/json'
    : `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
}

/** Returns the version of aggregated discovery that a client prefers to all others; undefined for one that does not ask. */
function aggregatedVersion({ headers }: Request): AggregatedVersion | undefined {
  for (const range of acceptedRanges(headers.accept)) {
    if (!isJson(range)) continue;
    const { as, v, g } = range.parameters;
    if (as === undefined) return undefined;
    const isAsked = as === 'APIGroupDiscoveryList' && g === 'apidiscovery.k8s.io';
    if (isAsked && (v === 'v2' || v === 'v2beta1')) return v;
  }
  return undefined;
}
