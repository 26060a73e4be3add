import { expect, test } from 'vitest'
import { mentionParts } from './mention-text.tsx'

const ana = { id: '1', name: 'Ana' }
const lima = { id: '2', name: 'Ana Lima' }
const odd = { id: '3', name: 'a.b* (c) / $1 {2} ^|\\ -' }

test('cuts a text at people, the longest name first, and at the word for the agent', () => {
  expect(mentionParts('@Ana Lima, @Ana: @agent go', [ana, lima], 'agent')).toEqual([
    { kind: 'person', text: '@Ana Lima', id: '2' },
    { kind: 'text', text: ', ' },
    { kind: 'person', text: '@Ana', id: '1' },
    { kind: 'text', text: ': ' },
    { kind: 'agent', text: '@agent' },
    { kind: 'text', text: ' go' },
  ])
  // Every spelling that calls the agent on the server is also shown as a call.
  expect(mentionParts('@Agent go', [], 'agent')).toEqual([
    { kind: 'agent', text: '@Agent' },
    { kind: 'text', text: ' go' },
  ])
})

test('leaves alone what only looks like one', () => {
  expect(mentionParts('me@Ana and @Anabel and @agent', [ana])).toEqual([
    { kind: 'text', text: 'me@Ana and @Anabel and @agent' },
  ])
  expect(mentionParts('me@agent.example', [], 'agent')).toEqual([{ kind: 'text', text: 'me@agent.example' }])
})

test('names are no patterns', () => {
  expect(mentionParts(`see @${odd.name}!`, [odd])[1]).toEqual({ kind: 'person', text: `@${odd.name}`, id: '3' })
})
