import { buildConsole } from '../../scripts/build-console';

/** The pages are tested with the console as its sources are now. */
export default async function setUp(): Promise<void> {
  await buildConsole();
}
