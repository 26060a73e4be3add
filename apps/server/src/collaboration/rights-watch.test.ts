import type { Connection, Document } from '@hocuspocus/server'
import type { Access } from '@copydesk/protocol'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Caller } from '../auth/callers.ts'
import { type Admitted, RightsWatch } from './rights-watch.ts'

test('[RIGHT-4] of two looks at changed rights the later one counts, in whichever order the store answers', async () => {
  const caller: Caller = { kind: 'person', user: { id: 'ana', name: 'Ana', color: '#000000' } }
  const answers: ((access: Access) => void)[] = []
  const watch = new RightsWatch({
    identify: async () => caller,
    access: () => new Promise((resolve) => answers.push(resolve)),
    logger: pino({ level: 'silent' }),
  })
  const socket = { setIdentity: () => undefined, sendStateless: () => undefined, disconnect: () => undefined }
  const context = { socket, caller, credential: 'a token', access: 'write', checkedAt: 0 } as unknown as Admitted
  const connection = { context, readOnly: false } as Connection
  const open = [{ name: 'a-document', live: { getConnections: () => [connection] } as unknown as Document }]
  watch.follow({ kind: 'rights', person: 'ana' }, open)
  watch.follow({ kind: 'rights', person: 'ana' }, open)
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.('read')
  await expect.poll(() => context.access).toBe('read')
  answers[0]?.('write')
  // The effects of the first check are complete when a check that began later is done.
  watch.follow({ kind: 'rights', person: 'ana' }, open)
  await expect.poll(() => answers.length).toBe(3)
  expect(context.access).toBe('read')
  expect(connection.readOnly).toBe(true)
})
