import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the built browser app: next to the bundle in an image, `apps/web/dist` in a checkout. */
export function findWebRoot(): string {
  const beside = fileURLToPath(new URL('./web', import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL('../../web/dist', import.meta.url))
}
