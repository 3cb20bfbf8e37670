import { writeFileSync } from 'node:fs';
import { CEILINGS, checkLanguage, linesOf, loweredCeilings } from './check';

// npm run language [-- <term>…]: prints where the terms occur that the glossary replaces, and how often.
// npm run language -- --lower: writes the ceilings of the test anew, each as low as what was reached.

const findings = checkLanguage();
const words = process.argv.slice(2);
if (words.includes('--lower')) {
  writeFileSync(CEILINGS, `${JSON.stringify(loweredCeilings(findings), null, 2)}\n`);
} else {
  for (const [name, passages] of findings.found)
    if (words.length === 0 || words.includes(name)) console.log(linesOf(name, passages).join('\n'));
  for (const [name, { length }] of findings.found) console.error(`${String(length).padStart(5)}  ${name}`);
  console.error(`${String(findings.docComments).padStart(5)}  doc comments in all`);
}
