import { ceilings, checkLanguage, linesOf } from '../../scripts/language/check';

// Plain English: how often the terms of the glossary occur that are to be replaced, and how many comments open with a fused
// relative. `npm run language` lists them; `npm run language -- --lower` lowers what is allowed to what was reached.

const findings = checkLanguage();
const allowed = ceilings(findings);

test.each([...findings.found])('%s', (name, passages) => {
  const limit = allowed[name] ?? 0;
  if (passages.length <= limit) return;
  throw new Error(
    `${passages.length} passages, and ${limit} are allowed:\n${linesOf(name, passages).join('\n')}`,
  );
});
