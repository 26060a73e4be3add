/**
 * Baseline for Copydesk: Hocuspocus with its database extension, as its manual sets it up, over the same SQLite. It
 * acknowledges what is in memory and stores the whole document a few seconds later. Arguments: the port and a folder.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Database } from '@hocuspocus/extension-database'
import { Server } from '@hocuspocus/server'

const [port = '0', directory = '.'] = process.argv.slice(2)
const file = new DatabaseSync(join(directory, 'documents.sqlite'))
file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
file.exec('CREATE TABLE documents (name TEXT PRIMARY KEY, data BLOB NOT NULL)')
const read = file.prepare('SELECT data FROM documents WHERE name = ?')
const write = file.prepare('INSERT INTO documents VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET data = excluded.data')

const server = new Server({
  port: Number(port),
  quiet: true,
  onAuthenticate: async () => undefined,
  extensions: [
    new Database({
      fetch: async ({ documentName }) => (read.get(documentName)?.['data'] as Uint8Array | undefined) ?? null,
      store: async ({ documentName, state }) => void write.run(documentName, state),
    }),
  ],
})
await server.listen()
process.stdout.write('ready\n')
