import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The settings of a service with a certificate. */
export type CertificateFiles = { TLS_CERT: string; TLS_KEY: string };

/** Makes a certificate for localhost that signs itself, in a folder. */
export function selfSignedIn(folder: string, name: string): CertificateFiles {
  const [TLS_CERT, TLS_KEY] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const files = ['-keyout', TLS_KEY, '-out', TLS_CERT];
  execFileSync('openssl', ['req', '-x509', '-nodes', '-days', '2', ...curve, ...subject, ...files], {
    stdio: 'ignore',
  });
  return { TLS_CERT, TLS_KEY };
}
