import { createElement, type FunctionComponent } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AgentPanel, type AgentPanelProps } from '../agent-panel.tsx'
import { ApprovalCard } from '../approvals/approval-card.tsx'
import { ConversationList } from '../chats/conversation-list.tsx'
import { CopyButton } from '../messages/copy-button.tsx'
import { createDrafts } from '../common/drafts.ts'
import { UnsavedEdit } from '../messages/unsaved-edit.tsx'
import { PanelLanguage, type PanelLanguageOptions } from './panel-language.tsx'
import { RejectForm } from '../approvals/reject-form.tsx'
import { englishTexts, type PanelTexts } from './texts.ts'
import type { ChatStep } from '../common/types.ts'
import { WorkBody } from '../steps/work-body.tsx'

const agent = { id: 'a', name: '1', kind: 'agent' as const }
const pair = { before: '2', after: '3' }
const steps = (['running', 'done', 'failed', 'waiting', 'rejected'] as const).map((status): ChatStep => {
  const error = { message: '4', hint: '5' }
  const shown = { read: '6', changes: [pair, pair], moreChanges: 12, durationMs: 1500, error }
  return { id: status, messageId: 'm', title: '7', status, text: '8', proposal: [pair], ...shown }
})
const waiting = steps.map((step) => ({ ...step, status: 'waiting' as const }))
const plan = (['open', 'doing', 'done'] as const).map((state) => ({ text: '9', state }))
const conversations = {
  list: [{ id: 'c', title: '10', isBusy: true }],
  current: 'new',
  onOpen: () => undefined,
  onNew: () => undefined,
  older: () => undefined,
}
const props = {
  isOpen: true,
  messages: [{ id: 'm', author: agent, text: '', at: '2026-01-02T15:04:05', run: { tone: 'good', label: '11', plan } }],
  steps,
  onSend: () => undefined,
  onClose: () => undefined,
  conversations,
  selection: { text: '12', words: 2, onClear: () => undefined },
  commands: [{ id: 'd', label: '13', text: '14' }],
  mode: { value: '15', options: [{ value: '15', label: '16', description: '17' }], onChange: () => undefined },
} satisfies AgentPanelProps

/** All visible and spoken texts of the panel's components, including those that load later. */
function wordsOf(language: PanelLanguageOptions): string {
  const drafts = createDrafts()
  drafts.set('edit edited', '18')
  const run = { tone: 'good' as const, label: '19', plan }
  const decide = () => Promise.resolve()
  const parts = [
    renderToString(createElement(AgentPanel, { ...props, ...language })),
    renderToString(createElement(AgentPanel, { ...props, ...language, steps: [], isBusy: true })),
    renderToString(
      createElement(AgentPanel, { ...props, ...language, frame: 'bare', problem: '20', onRetry: () => undefined }),
    ),
  ]
  const add = <Props extends object>(part: FunctionComponent<Props>, given: Props) =>
    parts.push(renderToString(createElement(PanelLanguage, language, createElement(part, given))))
  add(WorkBody, { run, steps, work: [{ kind: 'steps', key: 's', steps }] })
  add(ApprovalCard, { steps: waiting, agentName: '21', drafts, decide })
  add(ApprovalCard, { steps: waiting.slice(0, 1), agentName: '21', drafts, decide })
  add(RejectForm, { draftKey: 'r', drafts, label: '22', onCancel: () => undefined, onReject: decide })
  add(ConversationList, { conversations, onOpen: () => undefined, onClose: () => undefined })
  add(CopyButton, { text: '23', shown: { current: null } })
  add(UnsavedEdit, { step: { id: 'kept', messageId: 'm', title: '24', status: 'rejected' }, drafts })
  const html = parts.join('\n').replaceAll('<!-- -->', '')
  const attributes = [...html.matchAll(/ (?:aria-label|title|placeholder)="([^"]*)"/g)].map(([, value]) => value)
  return [html.replaceAll(/<[^>]*>/g, ' '), ...attributes].join('\n')
}

test('English is what the panel says without texts, and it takes single ones instead', () => {
  const english = wordsOf({})
  expect(english).toBe(wordsOf({ texts: englishTexts, locale: 'en' }))
  expect(english).toMatch(/5 steps · 70 changes/)
  expect(english).toContain('Took 1.5 s')
  expect(english).toContain('Jan 2, 15:04')
  const partly = wordsOf({ texts: { stepCount: (count) => `${count} Schritte`, send: 'Senden' }, locale: 'de' })
  expect(partly).toContain('5 Schritte · 70 changes')
  expect(partly).toContain('Senden (Enter)')
  expect(partly).toContain('Took 1,5 s')
  expect(partly).toContain('2. Jan., 15:04')
})

test('nothing that it says is anything but one of its texts', () => {
  const marked = Object.entries(englishTexts).map(([name, text]) => {
    const mark = `§${name}`
    return [name, typeof text === 'string' ? mark : (...given: unknown[]) => `${mark} ${given.join(' ')}`]
  })
  const words = wordsOf({ texts: Object.fromEntries(marked) as Partial<PanelTexts>, locale: 'ja' })
  expect(words.replaceAll(/§\w+/g, '').match(/[a-z]{2,}/gi)).toBeNull()
})
