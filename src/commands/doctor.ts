import type { Session } from '../cli';
import type { Outcome } from '../cli/outcome';
import { Progress } from '../cli/progress';
import { findProject } from '../cli/project-folder';
import { refuse } from '../cli/refusal';
import { CHECKS } from '../doctor/checks';
import { examine } from '../doctor/examination';
import type { Finding } from '../doctor/finding';
import { findingsTable } from '../doctor/table';
import type { Problem } from '../problem';

interface Options {
  project?: string;
  /** In seconds. */
  timeout?: string;
}

const TIMEOUT_SECONDS = 60;

/** `svcgen doctor`: looks at a project and where it runs, changes nothing; exit 1 where something has to be mended. */
export async function run(session: Session, options: Options): Promise<Outcome> {
  const seconds = Number(options.timeout ?? TIMEOUT_SECONDS);
  if (!(seconds > 0 && seconds <= 86_400)) refuse('--timeout takes seconds, more than 0 and at most 86400');
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

/** The problems among the findings, but for those that are told with their place already. */
function asProblems(findings: Finding[], told: Problem[]): Problem[] {
  return findings
    .filter(
      ({ verdict, check }) => verdict === 'problem' && (told.length === 0 || !/^(project|gen)/.test(check)),
    )
    .map(({ check, detail, hint }) => ({ message: `${check}: ${detail}`, hint }));
}
