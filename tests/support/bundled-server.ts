import { buildServer } from '../../scripts/lib/build-server.ts'

/** Before any test: the server as it is delivered, which the tests start. A bundle starts in a third of the time that sources take. */
export async function setup(): Promise<void> {
  await buildServer()
}
