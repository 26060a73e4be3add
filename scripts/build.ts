/** `pnpm build`: the browser application into `apps/web/dist`, and the server into `apps/server/dist`. */
import { buildServer } from './lib/build-server.ts'
import { buildWebIfChanged } from './lib/build-web.ts'

const [code] = await Promise.all([buildWebIfChanged(), buildServer()])
process.exitCode = code
