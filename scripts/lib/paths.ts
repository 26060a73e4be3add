import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

/** The project's root folder, absolute. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The folder of the browser application. */
export const webFolder = join(root, 'apps/web')

/** The folder of the server. */
export const serverFolder = join(root, 'apps/server')

/** The server's bundle, as `pnpm build` and the tests make it. */
export const serverBundle = join(serverFolder, 'dist/main.js')

/** Folder for reports and temporary data of scripts, which may be deleted. Never committed. */
export const cacheFolder = join(root, 'node_modules/.cache/copydesk')
