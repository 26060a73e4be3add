import { concat, varString } from '@copydesk/testing'
import { deletionOf, firstClient, firstUnit, paragraphOf, updateOf } from '../blocks.ts'
import { always, type HostileInput, request, sendUpdates } from '../hostile-input.ts'
import { limits, refusals } from '../limits.ts'
import { type Content, format, type Id, raw, text } from '../update-writer.ts'

const { itemsInText } = limits
const known = 'the marks of docs/protocol.md'
const inText = `${itemsInText} items in the text of a block`

const mark = (name: string, key: string, value: unknown, expect: HostileInput['expect']): HostileInput => ({
  name,
  limit: known,
  scale: always(1),
  build: (_, at) => [sendUpdates(at, [paragraphOf([format(key, value), text('marked'), format(key, null)])])],
  expect,
})

/** Characters of which every second one is bold: three items for two characters. */
function striped(items: number): Content[] {
  const turns = [format('bold', {}), text('x'), format('bold', null), text('y')]
  return Array.from({ length: items }, (_, index) => turns[index % turns.length] ?? text('x'))
}

const overlapping = (index: number): string => `comment--${index.toString(36).padStart(8, 'a')}`

/** A character under so many comments that overlap, and behind it so many pieces with one comment more or less. */
function underMany(comments: number, pieces: number): Uint8Array {
  const begin = Array.from({ length: comments }, (_, index) => format(overlapping(index), { threadId: `t${index}` }))
  return paragraphOf([...begin, ...striped(pieces)])
}

const many = 'many comments over the same pieces of text'

/** Marks. */
export const formats: readonly HostileInput[] = [
  mark('a mark with its attributes', 'link', { href: 'https://example.org', title: null }, 'acknowledged'),
  mark('an unknown mark', 'blink', {}, refusals.schema),
  mark('a mark with a name of a megabyte', 'x'.repeat(1_000_000), {}, refusals.schema),
  mark('the mark __proto__', '__proto__', { polluted: true }, refusals.schema),
  mark('a link of a megabyte', 'link', { href: 'x'.repeat(1_000_000) }, [
    'acknowledged',
    refusals.schema,
    refusals.tooLarge,
  ]),
  mark('a mark with an unknown attribute', 'bold', { x: 'x'.repeat(1000) }, ['acknowledged', refusals.schema]),
  {
    name: 'a mark whose value is nested without end',
    limit: known,
    scale: { ci: 5000, full: 1_000_000 },
    build: (size, at) => [sendUpdates(at, [paragraphOf([nestedMark(size), text('x')])])],
    expect: refusals.invalid,
  },
  {
    name: 'stripes of bold, up to the items that a text may have',
    limit: inText,
    scale: { ci: 4000, full: itemsInText },
    build: (size, at) => [sendUpdates(at, [paragraphOf(striped(size))])],
    expect: 'acknowledged',
  },
  {
    name: 'stripes of bold, one item too many',
    limit: inText,
    scale: always(itemsInText + 1),
    build: (size, at) => [sendUpdates(at, [paragraphOf(striped(size))])],
    expect: refusals.tooLarge,
  },
  {
    name: 'stripes of bold in many updates, too many items',
    limit: inText,
    scale: always(itemsInText + 500),
    build: (size, at) => [sendUpdates(at, inManyUpdates(size, 500))],
    expect: refusals.tooLarge,
  },
  {
    name: 'the same mark begun again and again',
    limit: inText,
    scale: { ci: 4000, full: itemsInText - 1 },
    build: (size, at) => [
      sendUpdates(at, [paragraphOf([...Array<Content>(size).fill(format('bold', {})), text('x')])]),
    ],
    expect: 'acknowledged',
  },
  {
    name: 'stripes of bold of which all text is deleted',
    limit: inText,
    scale: { ci: 4000, full: itemsInText },
    prepare: (size) => paragraphOf(striped(size)),
    build: (size, at) => [sendUpdates(at, [deletionOf(everySecond(size))])],
    expect: 'acknowledged',
  },
  {
    name: many,
    limit: inText,
    scale: { ci: 500, full: itemsInText / 2 },
    build: (size, at) => [sendUpdates(at, [underMany(size, size)])],
    expect: ['acknowledged', refusals.tooLarge, refusals.schema],
  },
  {
    name: `${many}, exported`,
    limit: inText,
    scale: { ci: 500, full: itemsInText / 2 },
    build: (size, at) => [
      sendUpdates(at, [underMany(size, size)]),
      request('GET', '/api/documents/:id/export?format=json'),
    ],
    expect: [200, 413, 503, refusals.tooLarge, refusals.schema],
  },
]

function nestedMark(depth: number): Content {
  // JSON of its own making: the language's writer calls itself as often as the value is deep.
  const value = `{"color":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const key = 'highlight'
  return raw('format', 1, concat(varString(key), varString(value)))
}

function inManyUpdates(items: number, inEach: number): Uint8Array[] {
  const contents = striped(items)
  const last: Id = { ...firstUnit }
  const updates = [paragraphOf(contents.slice(0, inEach))]
  for (let done = inEach; done < items; done += inEach) {
    last.clock = firstUnit.clock + done - 1
    const part = contents.slice(done, done + inEach)
    const add: Parameters<typeof updateOf>[0] = (to) => {
      let left = { ...last }
      for (const content of part) left = to.add(content, { left })
    }
    updates.push(updateOf(add, firstClient, last.clock + 1))
  }
  return updates
}

function everySecond(count: number): [number, number][] {
  return Array.from({ length: Math.floor(count / 2) }, (_, index) => [firstUnit.clock + 2 * index + 1, 1])
}
