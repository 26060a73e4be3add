/** `pnpm build`: `apps/web/dist`, the browser application, and `apps/server/dist`, the server, where they changed. */
import { buildServerIfChanged } from './lib/build-server.ts'
import { buildWebIfChanged } from './lib/build-web.ts'

const [code] = await Promise.all([buildWebIfChanged(), buildServerIfChanged()])
process.exitCode = code
