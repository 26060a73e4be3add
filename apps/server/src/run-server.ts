import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ConfigError, readConfig } from './services/config.ts'
import { createLogger } from './common/logger.ts'
import { startServer } from './server.ts'
import { DamagedFileError } from './store/sqlite/integrity-check.ts'
import { DirectoryInUseError } from './store/store.ts'

const exitWithinMs = 5000

async function run(): Promise<void> {
  // Other users of the machine can't read files that this process creates, including temporary files of SQLite.
  process.umask(0o077)
  const config = readConfig(process.env)
  const logger = createLogger(config.LOG_LEVEL)
  const webRoot = findWebRoot()
  if (!existsSync(webRoot)) logger.warn('the browser app has not been built; only the API is served')
  const server = await startServer({ config, logger, webRoot })
  process.stdout.write(`Copydesk is at ${server.url}\n`)
  if (server.setUpUrl !== undefined) process.stdout.write(`Make the first account at ${server.setUpUrl}\n`)
  if (server.resetUrl !== undefined) process.stdout.write(`Set the new password at ${server.resetUrl}\n`)

  const stop = (): void => {
    setTimeout(() => process.exit(1), exitWithinMs).unref()
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'the server did not close cleanly')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

/**
 * Runs the server in this process until SIGTERM or SIGINT. If it can't start, prints the reason in one or two lines.
 */
export function runServer(): void {
  run().catch(exitWithError)
}

function exitWithError(error: unknown): void {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
  else if (error instanceof DirectoryInUseError)
    process.stderr.write(
      `DATA_DIR is ${process.env.DATA_DIR ?? './data'}, which another Copydesk has open. Allowed: a folder of its own.\n`,
    )
  else if (error instanceof DamagedFileError) process.stderr.write(`${recoveryHint(error)}\n`)
  else if (isCode(error, 'EADDRINUSE'))
    process.stderr.write(`PORT is ${process.env.PORT ?? '3000'}, which is taken. Allowed: a free port.\n`)
  else
    process.stderr.write(
      `Copydesk could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
  process.exit(1)
}

function recoveryHint({ path, message }: DamagedFileError): string {
  return (
    `DATA_DIR is ${process.env.DATA_DIR ?? './data'}, whose database is damaged (${message}); nothing was changed. ` +
    `Copy the folder, then restore the newest intact copy, or recover what can be read: sqlite3 '${path}' .recover | sqlite3 recovered.sqlite`
  )
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** The folder of the built browser app: next to the bundle in an image, `apps/web/dist` in a checkout. */
function findWebRoot(): string {
  const beside = fileURLToPath(new URL('./web', import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL('../../web/dist', import.meta.url))
}
