import { addBlock, updateOf } from '../blocks.ts'
import { always, type HostileInput, request, sendUpdates } from '../hostile-input.ts'
import { refusals } from '../limits.ts'
import { any, type BlockWriter, element, type Id, text, type } from '../update-writer.ts'

const runs = 'twenty runs that an update starts'

function addMention(to: BlockWriter, parent: Id, left: Id | undefined, values: Record<string, unknown>): Id {
  const mention = to.add(element('mention'), left ? { left } : { parent })
  for (const [key, value] of Object.entries(values)) to.add(any(value), { parent: mention, key })
  return mention
}

/** So many mentions, each in a paragraph of its own or all in one. */
function mentions(count: number, valuesOf: (index: number) => Record<string, unknown>, isTogether = false): Uint8Array {
  return updateOf((to) => {
    let after: Id | undefined
    let left: Id | undefined
    for (let index = 0; index < count; index++) {
      if (after === undefined || !isTogether) {
        after = addBlock(to, [], { after })
        left = to.add(type('xmlText'), { parent: after })
        to.add(text('Please look: '), { parent: left })
      }
      left = addMention(to, after, left, valuesOf(index))
    }
  })
}

const agent = (index: number) => ({
  id: 'agent',
  label: 'agent',
  kind: 'agent',
  requestId: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
  state: 'sent',
})

/** Mentions of the agent and of people. */
export const mentionInputs: readonly HostileInput[] = [
  {
    name: 'many mentions of the agent in one update',
    limit: runs,
    scale: { ci: 40, full: 5000 },
    build: (size, at) => [sendUpdates(at, [mentions(size, agent)])],
    expect: 'acknowledged',
  },
  {
    name: 'many mentions of the agent in one block',
    limit: runs,
    scale: { ci: 40, full: 5000 },
    build: (size, at) => [sendUpdates(at, [mentions(size, agent, true)])],
    expect: 'acknowledged',
  },
  {
    name: 'the same mention again and again',
    limit: 'one run for a mention',
    scale: { ci: 500, full: 14_000 },
    build: (size, at) => [sendUpdates(at, [mentions(size, () => agent(1))])],
    expect: 'acknowledged',
  },
  {
    name: 'many mentions of people who have never been here',
    limit: 'mentions of people who have opened the document',
    scale: { ci: 1000, full: 14_000 },
    build: (size, at) => [
      sendUpdates(at, [
        mentions(size, (index) => ({ ...agent(index), id: `person${index}`, label: `P${index}`, kind: 'person' })),
      ]),
    ],
    expect: 'acknowledged',
  },
  {
    name: 'a mention with a label of a megabyte',
    limit: 'attributes of blocks',
    scale: always(1_000_000),
    build: (size, at) => [sendUpdates(at, [mentions(1, (index) => ({ ...agent(index), label: 'x'.repeat(size) }))])],
    expect: ['acknowledged', refusals.schema, refusals.tooLarge],
  },
  {
    name: 'a mention whose instruction is a book',
    limit: 'an instruction of 20,000 characters',
    scale: always(1_000_000),
    build: (size, at) => [
      sendUpdates(at, [
        updateOf((to) => {
          const paragraph = addBlock(to, [])
          const into = to.add(type('xmlText'), { parent: paragraph })
          to.add(text('x'.repeat(size)), { parent: into })
          addMention(to, paragraph, into, agent(7))
        }),
      ]),
    ],
    expect: ['acknowledged', refusals.tooLarge],
  },
  {
    name: 'a comment that mentions more people than it may',
    limit: '50 people whom a comment mentions',
    scale: always(51),
    build: (size) => [
      request('POST', '/api/documents/:id/threads', {
        quote: 'Start',
        text: 'All of you',
        mentions: Array.from({ length: size }, (_, index) => `person${index}`),
      }),
    ],
    expect: 400,
  },
]
