import { readFileSync } from 'node:fs';
import { Contestants, titleOf, type Contestant, type ContestantName } from './contestants';
import { writeEtags } from './devices';
import type { Scenario } from './scenarios';
import type { Line } from './table';
import { measure, measureAlone, median, type Load, type Measurement } from './wrk';

/** How long a run measures. */
export interface Effort {
  /** Devices at most, whatever a scenario wants. */
  devices: number;
  rounds: number;
  /** Of each round on each server. */
  seconds: number;
}

/** Measures a scenario: in each round all servers in turn, so that what disturbs the machine disturbs them all. */
export async function play(scenario: Scenario, contestants: Contestants, effort: Effort): Promise<Line[]> {
  const { title, subject, against, load } = scenario;
  const devices = Math.min(scenario.devices, effort.devices);
  const names = [subject, ...(Object.keys(against) as ContestantName[])];
  const first = await contestants.get(subject, devices);
  const answer = names.includes('http') ? await sampleAnswer(first, load) : '';
  const measurements = new Map<ContestantName, Measurement[]>(names.map((name) => [name, []]));
  for (let round = -1; round < effort.rounds; round++) {
    for (const name of names) {
      const seconds = round < 0 ? 1 : effort.seconds;
      const measurement =
        name === 'sqlite'
          ? measureAlone(name, seconds, await contestants.database(devices))
          : await measureOne(
              await contestants.get(name, devices, name === 'http' ? { ANSWER: answer } : {}),
              load,
              seconds,
            );
      // The round before the first is there to warm up.
      if (round >= 0) measurements.get(name)!.push(measurement);
    }
  }
  const base = median(measurements.get(subject)!);
  return names.map((name) => {
    const measurement = median(measurements.get(name)!);
    if (name === subject) return { what: `${title}: ${titleOf(name)}`, measurement };
    const figure = { value: measurement.cpu / base.cpu, unit: '×', from: against[name] || undefined };
    return { what: `  against ${titleOf(name)}`, measurement, figure };
  });
}

async function measureOne(
  { server, uidFile }: Contestant,
  load: Load,
  seconds: number,
): Promise<Measurement> {
  if (load.name !== 'patch') return measure(server, load, seconds, load.name === 'get' ? uidFile : undefined);
  await writeEtags(server, uidFile, `${uidFile}.etags`);
  return measure(server, load, seconds, `${uidFile}.etags`);
}

/** What the server answers, for one that is to answer the same bytes. */
async function sampleAnswer({ server, uidFile }: Contestant, { path }: Load): Promise<string> {
  const [uid] = readFileSync(uidFile, 'utf8').split('\n', 1);
  return (await fetch(`${server.url}${path ?? `/devices/${uid}`}`)).text();
}
