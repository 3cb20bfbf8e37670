import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The result of a Dockerfile, without Docker: the folders of its stages, and its command. */
export interface Image {
  /** The working folder of the last stage. */
  folder: string;
  environment: { [name: string]: string };
  command: string[];
  healthCheck: string[];
}

/** One instruction: its word and what follows it. */
type Instruction = [word: string, rest: string];

/**
 * Follows the steps of a Dockerfile in folders below `target`: what is copied, what is run. Base images are what this
 * machine has; users and owners are left out. Throws for an instruction that it does not know and a step that fails.
 */
export function buildImage(context: string, target: string): Image {
  const ignored = new Set(readFileSync(join(context, '.dockerignore'), 'utf8').split('\n'));
  const stages = new Map<string, string>();
  const image: Image = { folder: '', environment: {}, command: [], healthCheck: [] };
  const steps: { [word: string]: (rest: string) => void } = {
    FROM(rest) {
      const [, name = String(stages.size)] = / AS (\w+)$/.exec(rest) ?? [];
      image.folder = join(target, name);
      image.environment = {};
      stages.set(name, image.folder);
      mkdirSync(image.folder, { recursive: true });
    },
    COPY(rest) {
      const [, stage, paths = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(rest)!;
      const words = paths.split(' ');
      const to = words.at(-1)!;
      const from = stage === undefined ? context : stages.get(stage)!;
      for (const pattern of words.slice(0, -1)) {
        for (const path of expand(from, pattern.replace('/service/', ''))) {
          if (stage === undefined && ignored.has(path)) continue;
          cpSync(join(from, path), join(image.folder, to === './' ? basename(path) : to), {
            recursive: true,
          });
        }
      }
    },
    RUN(rest) {
      const script = `chown() { :; }\n${rest}`;
      execFileSync('bash', ['--norc', '-euc', script], { cwd: image.folder, stdio: 'pipe' });
    },
    ENV(rest) {
      const [name = '', value = ''] = rest.split('=');
      image.environment[name] = value;
    },
    HEALTHCHECK(rest) {
      image.healthCheck = JSON.parse(rest.slice(rest.indexOf('['))) as string[];
    },
    CMD(rest) {
      image.command = JSON.parse(rest) as string[];
    },
    WORKDIR() {},
    USER() {},
    VOLUME() {},
    EXPOSE() {},
  };
  for (const [word, rest] of instructions(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    const step = steps[word];
    if (step === undefined) throw new Error(`${word} is an instruction that is not known here`);
    step(rest);
  }
  return image;
}

function instructions(dockerfile: string): Instruction[] {
  const lines = dockerfile
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => [line.split(' ', 1)[0], line.slice(line.indexOf(' ') + 1)]);
}

/** The paths below a folder that a pattern of the shell means. */
function expand(folder: string, pattern: string): string[] {
  const words = execFileSync('bash', ['--norc', '-c', `shopt -s nullglob; printf '%s\\n' ${pattern}`], {
    cwd: folder,
  });
  return words
    .toString()
    .split('\n')
    .filter((word) => word !== '');
}
