// npm run audit: fails when the registry knows a vulnerability of an installed package. It reports when the registry
// does not respond.
const { spawnSync } = require('node:child_process');

const { stdout } = spawnSync('npm', ['audit', '--json'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
  maxBuffer: 64 * 1024 * 1024,
});

/** Returns the report; undefined for anything else, such as an error of the network. */
function reportOf(text) {
  try {
    const report = JSON.parse(text);
    return report.auditReportVersion === undefined ? undefined : report;
  } catch {
    return undefined;
  }
}

const report = reportOf(stdout);
if (report === undefined) {
  console.warn('The registry did not say which packages are vulnerable: nothing was checked.');
} else {
  for (const { name, severity, range } of Object.values(report.vulnerabilities))
    console.error(`${name} ${range}: ${severity}`);
  console.log(`Vulnerable packages: ${report.metadata.vulnerabilities.total}`);
  process.exitCode = report.metadata.vulnerabilities.total > 0 ? 1 : 0;
}
