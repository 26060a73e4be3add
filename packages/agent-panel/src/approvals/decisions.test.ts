import { expect, test } from 'vitest'
import { approval, approve, rejection } from './decisions.ts'
import { createDrafts, editKey } from '../common/drafts.ts'
import type { ChatStep, StepDecision } from '../common/types.ts'

const step = (id: string): ChatStep => ({ id, messageId: 'm', title: id, status: 'waiting', text: 'proposed' })

test('an approval carries the text only where it was edited', () => {
  const drafts = createDrafts()
  expect(approval(step('a'), drafts)).toEqual({ step: 'a', decision: 'approve' })
  drafts.set(editKey('a'), 'proposed')
  expect(approval(step('a'), drafts)).toEqual({ step: 'a', decision: 'approve' })
  drafts.set(editKey('a'), 'mended')
  expect(approval(step('a'), drafts)).toEqual({ step: 'a', decision: 'approve', text: 'mended' })
  expect(rejection('a', '')).toEqual({ step: 'a', decision: 'reject' })
})

test('where one approval fails the others are stored, and the text of the one that failed is kept', async () => {
  const drafts = createDrafts()
  const stored: StepDecision[] = []
  for (const id of ['a', 'b', 'c']) drafts.set(editKey(id), `${id} mended`)
  const decide = async ([decision]: readonly StepDecision[]) => {
    if (decision?.step === 'b') throw new Error('Ben was quicker.')
    if (decision) stored.push(decision)
  }
  await expect(approve([step('a'), step('b'), step('c')], drafts, decide)).rejects.toThrow('Ben was quicker.')
  expect(stored.map(({ step: id }) => id)).toEqual(['a', 'c'])
  expect(['a', 'b', 'c'].map((id) => drafts.get(editKey(id)))).toEqual(['', 'b mended', ''])
})
