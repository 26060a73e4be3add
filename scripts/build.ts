/** `pnpm build`: the browser application into `apps/web/dist`, the server into `apps/server/dist`, what changed of them. */
import { buildServerIfChanged } from './lib/build-server.ts'
import { buildWebIfChanged } from './lib/build-web.ts'

const [code] = await Promise.all([buildWebIfChanged(), buildServerIfChanged()])
process.exitCode = code
