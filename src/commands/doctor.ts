import { CHECKS } from '../doctor/checks';
import { examine, type Finding, findingsTable } from '../doctor/finding';
import { type Problem, refuse } from '../model/problem';
import { Progress } from '../terminal/io';
import { findProject } from './project-folder';
import type { Outcome, Session } from './session';

interface Options {
  project?: string;
  /** In seconds. */
  timeout?: string;
}

const TIMEOUT_SECONDS = 60;

/** Runs `svcgen doctor`: checks a project and where it runs, and changes nothing. Exit code 1 reports a problem. */
export async function run(session: Session, options: Options): Promise<Outcome> {
  const seconds = Number(options.timeout ?? TIMEOUT_SECONDS);
  if (!(seconds > 0 && seconds <= 86_400))
    refuse('--timeout must be a number of seconds, more than 0 and at most 86400');
  const folder = findProject(session.io.cwd(), options.project);
  const progress = new Progress(session);
  const environment = { ...process.env, ...session.io.env };
  const examination = examine(folder, environment, seconds * 1_000, progress);
  const findings: Finding[] = [];
  try {
    for (const [check, look] of CHECKS) {
      progress.step(`checking ${check}`);
      findings.push({ check, ...(await look(examination)) });
    }
  } finally {
    progress.end();
  }
  const { problems } = examination;
  return {
    exit: findings.some(({ verdict }) => verdict === 'problem') ? 1 : 0,
    text: findingsTable(findings, session.io),
    problems: session.json ? [...problems, ...asProblems(findings, problems)] : problems,
    more: { checks: findings },
  };
}

/** Returns the problems among the findings, without those that are reported with their place already. */
function asProblems(findings: Finding[], reported: Problem[]): Problem[] {
  return findings
    .filter(
      ({ verdict, check }) =>
        verdict === 'problem' && (reported.length === 0 || !/^(project|gen)/.test(check)),
    )
    .map(({ check, detail, hint }) => ({ message: `${check}: ${detail}`, hint }));
}
