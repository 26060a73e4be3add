import { expect, test } from 'vitest'
import { readEntries } from './use-chat.ts'
import type { ChatMessage, ChatStep } from '../common/types.ts'

const message = (id: string): ChatMessage => ({ id, author: { id: 'a', name: 'Agent', kind: 'agent' }, text: id })
const step = (id: string, messageId: string): ChatStep => ({ id, messageId, title: id, status: 'done' })

test('every message has its steps in order; steps of nobody are left out', () => {
  const entries = readEntries(
    [message('m'), message('n')],
    [step('1', 'n'), step('2', 'm'), step('3', 'n'), step('4', 'x')],
  )
  expect(entries.map(({ message: { id }, steps }) => [id, steps.map((each) => each.id)])).toEqual([
    ['m', ['2']],
    ['n', ['1', '3']],
  ])
})
