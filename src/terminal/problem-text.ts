import pc from 'picocolors';
import { formatProblems, type Problem } from '../model/problem';
import { hasColors, type Io } from './io';

/**
 * Returns the problems as stderr shows them; those without a file start with `svcgen`. Warnings have a colour of their own.
 */
export function problemText(problems: Problem[], areWarnings: boolean, io: Io): string {
  const { bold, cyan, red, yellow } = pc.createColors(hasColors(io.stderr, io.env));
  const named = problems.map((problem) => {
    const message = areWarnings ? `warning: ${problem.message}` : problem.message;
    return { ...problem, message: problem.file === undefined ? `svcgen: ${message}` : message };
  });
  return formatProblems(named)
    .replace(/^(?:svcgen|\S.*?:\d+:\d+):/gm, (place) => bold(place))
    .replace(/^ +\^$/gm, (caret) => (areWarnings ? yellow(caret) : red(caret)))
    .replace(/^ {2}hint:/gm, (hint) => cyan(hint));
}
