import { addBlock, paragraphs, updateOf } from '../blocks.ts'
import { always, type HostileInput, sendUpdates } from '../hostile-input.ts'
import { refusals } from '../limits.ts'
import { any, type Content, deleted, element, type Place, text, type } from '../update-writer.ts'

const limit = 'the root types default, meta and receipts'

/** An update of one item. */
const one = (name: string, content: Content, place: Place): HostileInput => ({
  name,
  limit,
  scale: always(1),
  build: (_, at) => [sendUpdates(at, [updateOf((to) => to.add(content, place))])],
  expect: refusals.schema,
})

/**
 * Root types of a document: those that it has, others, many others, and the right ones used as something that they
 * aren't.
 */
export const roots: readonly HostileInput[] = [
  {
    name: 'paragraphs of the root type default',
    limit,
    scale: { ci: 200, full: 5000 },
    build: (size, at) => [sendUpdates(at, [paragraphs(size, (index) => `Paragraph ${index}`)])],
    expect: 'acknowledged',
  },
  one('one more root type', element('paragraph'), { parent: 'other' }),
  one('a root type without a name', element('paragraph'), { parent: '' }),
  one('the root type constructor', element('paragraph'), { parent: 'constructor' }),
  one('the root type __proto__ as a map', any('x'), { parent: '__proto__', key: 'x' }),
  one('a root type with a name of a megabyte', element('paragraph'), { parent: 'x'.repeat(1_000_000) }),
  one('default as a map', any('x'), { parent: 'default', key: 'x' }),
  one('default as a text', text('x'), { parent: 'default' }),
  one('default as an array of values', any('x', 1, null), { parent: 'default' }),
  one('meta as a list', type('map'), { parent: 'meta' }),
  one('meta as a text', text('x'), { parent: 'meta' }),
  one('a deleted item of another root type', deleted(1), { parent: 'other' }),
  {
    name: 'a receipt, which a person writes',
    limit,
    scale: always(1),
    build: (_, at) => [
      sendUpdates(at, [updateOf((to) => to.add(any({ kind: 'x' }), { parent: 'receipts', key: 'x' }))]),
    ],
    expect: refusals.invalid,
  },
  {
    name: 'receipts as a text',
    limit,
    scale: always(1),
    build: (_, at) => [sendUpdates(at, [updateOf((to) => to.add(text('x'), { parent: 'receipts' }))])],
    expect: [refusals.invalid, refusals.schema],
  },
  {
    name: 'many root types',
    limit,
    scale: { ci: 2000, full: 120_000 },
    build: (size, at) => [
      sendUpdates(at, [
        updateOf((to) => {
          for (let index = 0; index < size; index++) to.add(any(1), { parent: `root${index}`, key: 'x' })
        }),
      ]),
    ],
    expect: refusals.schema,
  },
  {
    name: 'another root type that the same update deletes',
    limit,
    scale: { ci: 500, full: 50_000 },
    build: (size, at) => [
      sendUpdates(at, [
        updateOf((to, writer) => {
          addBlock(to, [text('beside it')])
          const from = to.next
          for (let index = 0; index < size; index++) to.add(any(1), { parent: `gone${index}`, key: 'x' })
          writer.delete(from.client, from.clock, size)
        }),
      ]),
    ],
    expect: refusals.schema,
  },
]
