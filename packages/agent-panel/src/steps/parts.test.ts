import { expect, test } from 'vitest'
import { answerParts, countWork, foldParts } from './parts.ts'
import { englishTexts } from '../language/texts.ts'
import type { ChatStep } from '../common/types.ts'

const step = (id: string, rest: Partial<ChatStep> = {}): ChatStep => {
  return { id, messageId: 'm', title: id, status: 'done', ...rest }
}

const show = (text: string, steps: ChatStep[]) =>
  answerParts({ id: 'm', text }, steps).map((part) =>
    part.kind === 'said' ? `“${part.text}”` : `${part.kind} ${part.steps.map(({ id }) => id).join(' ')}`,
  )

test('text between steps is between their cards, the rest at the end', () => {
  const steps = [step('a', { said: 'Looking.' }), step('b'), step('c', { said: 'Mending.' })]
  expect(show('Looking.\n\nMending.\n\nDone.', steps)).toEqual([
    '“Looking.”',
    'steps a b',
    '“Mending.”',
    'steps c',
    '“Done.”',
  ])
})

test('words that are still being said move before their steps without being shown twice', () => {
  expect(show('Looking.', [])).toEqual(['“Looking.”'])
  expect(show('Looking.', [step('a', { said: 'Looking.' })])).toEqual(['“Looking.”', 'steps a'])
  // The room document may contain the step before the message has the text.
  expect(show('', [step('a', { said: 'Looking.' })])).toEqual(['“Looking.”', 'steps a'])
})

test('an answer that holds only the last words is shown whole, or not at all where its step has said it', () => {
  const steps = [step('a', { said: 'Looking.' }), step('b', { said: 'Mending.' })]
  expect(show('All done.', steps).at(-1)).toBe('“All done.”')
  expect(show('Mending.', steps).at(-1)).toBe('steps b')
})

test('steps that wait together are one card at the place of the first; the others stay cards of their own', () => {
  const waiting = { status: 'waiting', group: 'g' } as const
  expect(show('', [step('a', waiting), step('b'), step('c', waiting), step('d', { status: 'waiting' })])).toEqual([
    'approval a c',
    'steps b',
    'approval d',
  ])
})

test('[CHAT-5] the last text is the answer; the steps, and what was said before them, are the way to it', () => {
  const steps = [step('a', { said: 'Looking.' }), step('b', { status: 'waiting' }), step('c', { said: 'Mending.' })]
  const { answer, approvals, work } = foldParts(answerParts({ id: 'm', text: 'Looking. Mending. Done.' }, steps))
  expect(answer).toBe('Done.')
  expect(approvals.map(({ key }) => key)).toEqual(['approval b'])
  expect(work.map(({ key }) => key)).toEqual(['said a', 'steps a', 'said c', 'steps c'])
  expect(foldParts(answerParts({ id: 'm', text: 'Looking.' }, steps.slice(0, 1)))).toMatchObject({
    answer: 'Looking.',
    work: [{ kind: 'steps' }],
  })
})

test('[CHAT-5] steps and changes are counted in one line', () => {
  const pair = { before: 'a', after: 'b' }
  const steps = [step('a'), step('b', { changes: [pair] }), step('c', { changes: [pair, pair], moreChanges: 3 })]
  expect(countWork(steps, englishTexts)).toBe('3 steps · 6 changes')
  expect(countWork(steps.slice(0, 2), englishTexts)).toBe('2 steps · 1 change')
  expect(countWork(steps.slice(0, 1), englishTexts)).toBe('1 step')
  expect(countWork([], englishTexts)).toBe('')
})
