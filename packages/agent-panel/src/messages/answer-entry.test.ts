import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AnswerEntry } from './answer-entry.tsx'
import { createDrafts } from '../common/drafts.ts'
import type { ChatStep } from '../common/types.ts'

const author = { id: 'agent', name: 'Agent', kind: 'agent' as const }
const step = (id: string, tool: string, status: ChatStep['status']): ChatStep => ({
  id,
  messageId: 'answer',
  title: tool,
  status,
  tool,
})

// The line of a run in progress.
function lineOf(steps: readonly ChatStep[]): string {
  const run = { tone: 'going' as const, label: 'Searching for “fees”…', detail: '2 of 4' }
  const message = { id: 'answer', author, text: '', run }
  const entry = createElement(AnswerEntry, {
    message,
    steps,
    drafts: createDrafts(),
    decide: () => Promise.resolve(),
    decideDisabledReason: undefined,
  })
  return /<div class="ap-going">.*/.exec(renderToStaticMarkup(entry))?.[0] ?? ''
}

test.each([
  ['of the running tool', [step('a', 'edit_document', 'done'), step('b', 'search_document', 'running')], 'search'],
  ['of thinking between two tools', [step('a', 'search_document', 'done')], 'spark'],
  ['of a hand while it waits for approval', [step('a', 'edit_document', 'waiting')], 'hand'],
])('the line of a run in progress has the icon %s, its action and the part of its plan', (_title, steps, icon) => {
  const line = lineOf(steps)
  expect(line).toContain(`data-activity="${icon}"`)
  expect(line).toContain('Searching for “fees”…')
  expect(line).toContain('2 of 4')
})
