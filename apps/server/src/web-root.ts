import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder with the built browser app: beside the bundle in an image, in `apps/web/dist` in a checkout. */
export function findWebRoot(): string {
  const beside = fileURLToPath(new URL('./web', import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL('../../web/dist', import.meta.url))
}
