import type { Access, User } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import type { Signal } from '../../common/signals.ts'
import { followCallerRight } from './caller-right.ts'

test('[RIGHT-8] of two looks at a caller’s right the later one counts, in whichever order the store answers', async () => {
  const ana: User = { id: 'ana', name: 'Ana', color: '#000000' }
  const answers: ((access: Access) => void)[] = []
  let tell: (signal: Signal) => void = () => undefined
  const told: string[] = []
  const signals = {
    publish: (signal: Signal) => tell(signal),
    subscribe: (listener: (signal: Signal) => void) => {
      tell = listener
      return () => undefined
    },
    close: () => undefined,
  }
  const people = { find: async () => ana } as unknown as Parameters<typeof followCallerRight>[1]['people']
  const runAccess = (): Promise<Access> => new Promise((resolve) => answers.push(resolve))
  const following = followCallerRight(
    { document: 'a-document', invoked_by: 'ana', access_limit: 'write', api_key: null, trigger_kind: 'chat' },
    { people, runAccess, signals },
    {
      onGone: () => void told.push('gone'),
      onLowered: () => void told.push('lowered'),
      onError: (error) => {
        throw error
      },
    },
  )
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.('write')
  const right = await following
  expect(right.canEdit).toBe(true)
  for (let change = 0; change < 2; change++) signals.publish({ kind: 'rights', person: 'ana' })
  await expect.poll(() => answers.length).toBe(3)
  answers[2]?.('comment')
  await expect.poll(() => right.canEdit).toBe(false)
  answers[1]?.('write')
  // When a lookup that began later has completed, the effects of that earlier one have happened.
  signals.publish({ kind: 'rights', person: 'ana' })
  await expect.poll(() => answers.length).toBe(4)
  answers[3]?.('comment')
  await Promise.resolve()
  expect([right.canEdit, told]).toEqual([false, ['lowered']])
})
