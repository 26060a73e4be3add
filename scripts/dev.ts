/**
 * `pnpm dev`: the server under `node --watch` and the browser application on Vite's own server, which proxies all other
 * requests. Ends when either ends.
 */
import { join } from 'node:path'
import { createServer } from 'vite'
import { serverFolder, webFolder } from './lib/paths.ts'
import { runCommand } from './lib/run-command.ts'

const port = process.env['PORT'] ?? '3000'
const target = `http://127.0.0.1:${port}`
const passedOn = ['/api', '/mcp', '/healthz', '/readyz', '/metrics']

const vite = await createServer({
  root: webFolder,
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: {
      ...Object.fromEntries(passedOn.map((path) => [path, { target }])),
      '/collab': { target, ws: true },
    },
  },
})
await vite.listen()
const origin = 'http://127.0.0.1:5173'
console.log(`Copydesk in development is at ${origin}`)

// The page's origin is Vite's: sockets and cookies are checked against it.
const env = { PORT: port, PUBLIC_URL: process.env['PUBLIC_URL'] ?? origin }
try {
  // In the root, so that relative paths in variables mean the same as with `pnpm start`.
  const main = join(serverFolder, 'src/main.ts')
  process.exitCode = await runCommand('node', ['--watch', '--watch-preserve-output', main], { env })
} finally {
  await vite.close()
}
