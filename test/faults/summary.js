const { existsSync, mkdirSync, readFileSync, rmSync } = require('node:fs');
const { dirname, join } = require('node:path');

const FIGURES = join(__dirname, '../../.tmp/faults/figures.jsonl');

/** Prints, after all faults, what each of them came to. The faults write their lines by `fault` (fault.ts). */
module.exports = class Summary {
  onRunStart() {
    mkdirSync(dirname(FIGURES), { recursive: true });
    rmSync(FIGURES, { force: true });
  }

  onRunComplete() {
    if (!existsSync(FIGURES)) return;
    const lines = readFileSync(FIGURES, 'utf8').trim().split('\n').map(JSON.parse);
    for (const name of new Set(lines.map(({ fault }) => fault))) {
      process.stderr.write(`\n${name}\n`);
      for (const { fault, what, figure } of lines)
        if (fault === name) process.stderr.write(`  ${what}: ${figure}\n`);
    }
  }
};
