import { createSecureContext } from 'node:tls';
import { readRegularFile } from '../../files/regular-file';
import type { Settings } from '../../settings/settings';

/** A certificate with its private key, in PEM form. */
interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/**
 * Returns the certificate that the settings name; undefined for a service that speaks http. Throws an Error for a file
 * that cannot be read, for a certificate without a key, and for two that do not belong together.
 */
export function certificateOf({ TLS_CERT, TLS_KEY }: Settings): Certificate | undefined {
  if (TLS_CERT === '' && TLS_KEY === '') return undefined;
  const certificate = { cert: readSetting('TLS_CERT', TLS_CERT), key: readSetting('TLS_KEY', TLS_KEY) };
  try {
    createSecureContext(certificate);
  } catch (error) {
    throw new Error(
      `TLS_CERT=${TLS_CERT} and TLS_KEY=${TLS_KEY} are not a certificate and its key: ${(error as Error).message}`,
      { cause: error },
    );
  }
  return certificate;
}

/** Returns the bytes of the file that a setting names. Throws an Error that names both. */
export function readSetting(name: string, file: string): Buffer {
  if (file === '') throw new Error(`${name} is empty: TLS_CERT and TLS_KEY belong together`);
  try {
    return readRegularFile(file);
  } catch (error) {
    throw new Error(`${name}=${file} ${(error as Error).message}`, { cause: error });
  }
}
