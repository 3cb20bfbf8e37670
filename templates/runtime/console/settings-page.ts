import type { Page } from '../http/responses/page';
import { sendJson } from '../http/responses/respond';
import type { Service } from '../service/service';
import { SETTINGS, type Settings } from '../settings/settings';
import type { ConsoleSetting, ConsoleSettings } from './content';

/** The settings with texts that are never secret; others may hold passwords, as URLs do. */
const PUBLIC_TEXTS = new Set(['HOST', 'LOG_LEVEL', 'WEBHOOK_MODE', 'NATS_STREAM']);

/**
 * `GET /console/settings.json`: the settings of the service, without the values of those that may be secret. It is
 * guarded like `/metrics`. `names` are the settings that the service has.
 */
export function settingsPage({ settings }: Pick<Service, 'settings'>, names: readonly string[]): Page {
  return (req, res) => {
    const shown = Object.keys(SETTINGS).filter((name): name is keyof Settings => names.includes(name));
    const body: ConsoleSettings = {
      node: process.version,
      uptimeSeconds: Math.floor(process.uptime()),
      settings: shown.map((name) => describeSetting(name, settings[name])),
    };
    res.setHeader('Cache-Control', 'no-store');
    sendJson(req, res, 200, body);
  };
}

function describeSetting(name: keyof Settings, value: Settings[keyof Settings]): ConsoleSetting {
  const { fallback, description } = SETTINGS[name];
  const isSecret = typeof value === 'string' && !PUBLIC_TEXTS.has(name);
  return {
    ...{ name, description },
    isDefault: String(value) === String(fallback),
    ...(!isSecret && { value: String(value) }),
  };
}
