import { readFileSync } from 'node:fs';
import { type Contestant, type ContestantName, Contestants, titleOf } from './contestants';
import { writeEtags } from './devices';
import type { Scenario } from './scenarios';
import { slowDisk } from './slow-disk';
import type { Line } from './table';
import { type Load, measure, measureAlone, type Measurement, median } from './wrk';

/** The effort of a run. */
export interface Effort {
  /** Maximum number of devices, whatever a scenario wants. */
  devices: number;
  rounds: number;
  /** Duration of each round on each server. */
  seconds: number;
}

/** Loads that read some of the devices that are there. */
const READS: readonly Load['name'][] = ['get', 'mixed'];

/** Measures a scenario: each round runs on all servers in turn, so that disturbances of the machine affect them all. */
export async function play(scenario: Scenario, contestants: Contestants, effort: Effort): Promise<Line[]> {
  const { title, subject, against, load, syncMs } = scenario;
  const devices = Math.min(scenario.devices, effort.devices);
  const names = [subject, ...(Object.keys(against) as ContestantName[])];
  const disk = syncMs === undefined ? {} : slowDisk(syncMs);
  const first = await contestants.get(subject, devices, disk);
  const response = names.includes('http') ? await sampleResponse(first, load) : '';
  const measurements = new Map<ContestantName, Measurement[]>(names.map((name) => [name, []]));
  for (let round = -1; round < effort.rounds; round++) {
    for (const name of names) {
      const seconds = round < 0 ? 1 : effort.seconds;
      const measurement =
        name === 'sqlite'
          ? measureAlone(name, seconds, await contestants.database(devices))
          : await measureOne(
              await contestants.get(name, devices, name === 'http' ? { ANSWER: response } : disk),
              load,
              seconds,
            );
      // The round before the first is the warm-up.
      if (round >= 0) measurements.get(name)!.push(measurement);
    }
  }
  const base = median(measurements.get(subject)!);
  return names.map((name) => {
    const measurement = median(measurements.get(name)!);
    if (name === subject) return { what: `${title}: ${titleOf(name)}`, measurement };
    const worst = Math.min(
      ...measurements.get(name)!.map(({ cpu }, round) => cpu / measurements.get(subject)![round].cpu),
    );
    const figure = { value: measurement.cpu / base.cpu, unit: '×', from: against[name] || undefined, worst };
    return { what: `  against ${titleOf(name)}`, measurement, figure };
  });
}

async function measureOne(
  { server, uidFile }: Contestant,
  load: Load,
  seconds: number,
): Promise<Measurement> {
  if (load.name !== 'patch')
    return measure(server, load, seconds, READS.includes(load.name) ? uidFile : undefined);
  await writeEtags(server, uidFile, `${uidFile}.etags`);
  return measure(server, load, seconds, `${uidFile}.etags`);
}

/** Returns the server's response, for a peer that must send the same bytes. */
async function sampleResponse({ server, uidFile }: Contestant, { path }: Load): Promise<string> {
  const [uid] = readFileSync(uidFile, 'utf8').split('\n', 1);
  return (await fetch(`${server.url}${path ?? `/devices/${uid}`}`)).text();
}
