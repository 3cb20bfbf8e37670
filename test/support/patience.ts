const HOUR = '3600000';

/**
 * Settings under which a service waits longer for its clients than any machine takes: a test that is not about a time-out
 * must not run into one because the machine is busy.
 */
export const PATIENCE = {
  HEADERS_TIMEOUT_MS: HOUR,
  REQUEST_TIMEOUT_MS: HOUR,
  STALL_TIMEOUT_MS: HOUR,
  KEEP_ALIVE_TIMEOUT_MS: HOUR,
  EVENTS_SLOW_READER_MS: HOUR,
  WEBHOOK_TIMEOUT_MS: HOUR,
  HOOK_TIMEOUT_MS: HOUR,
  POSTGRES_CONNECT_TIMEOUT_MS: '60000',
  POSTGRES_RESPONSE_TIMEOUT_MS: '120000',
};

// Services in processes of their own inherit it.
for (const [name, value] of Object.entries(PATIENCE)) process.env[name] ??= value;
