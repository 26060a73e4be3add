import { addBlock, paragraphOf, updateOf } from '../blocks.ts'
import { always, type HostileInput, request, sendUpdates } from '../hostile-input.ts'
import { limits, refusals } from '../limits.ts'
import { any, type Content, format, type Id, text } from '../update-writer.ts'

const limit = `${limits.itemsInText} items in the text of a block`
const idOf = (index: number): string => `change-${index}`

/** Each character suggested on its own: three items for one. */
function suggested(count: number, mark: string, from = 0): Content[] {
  return Array.from({ length: count }, (_, index) => [
    format(mark, { id: idOf(from + index) }),
    text('x'),
    format(mark, null),
  ]).flat()
}

/** So many suggestions, in paragraphs of a thousand. */
function inParagraphs(count: number, mark: string): Uint8Array {
  return updateOf((to) => {
    let after: Id | undefined
    for (let done = 0; done < count; done += 1000) {
      after = addBlock(to, suggested(Math.min(1000, count - done), mark, done), { after })
    }
  })
}

function withAttribute(key: string, value: unknown): Uint8Array {
  return updateOf((to) => to.add(any(value), { parent: addBlock(to, [text('Reviewed')]), key }))
}

/** Suggested changes and comments. */
export const reviewMarks: readonly HostileInput[] = [
  {
    name: 'many suggested insertions',
    limit,
    scale: { ci: 1000, full: 30_000 },
    build: (size, at) => [sendUpdates(at, [inParagraphs(size, 'insertion')])],
    expect: ['acknowledged', refusals.tooLarge],
  },
  {
    name: 'many suggested insertions, all accepted',
    limit,
    scale: { ci: 500, full: 5000 },
    build: (size, at) => [
      sendUpdates(at, [inParagraphs(size, 'insertion')]),
      request('POST', '/api/documents/:id/changes', { decision: 'accept' }),
    ],
    expect: [200, 413, refusals.tooLarge],
  },
  {
    name: 'many suggested deletions, all rejected',
    limit,
    scale: { ci: 500, full: 5000 },
    build: (size, at) => [
      sendUpdates(at, [inParagraphs(size, 'deletion')]),
      request('POST', '/api/documents/:id/changes', { decision: 'reject' }),
    ],
    expect: [200, 413, refusals.tooLarge],
  },
  {
    name: 'the same suggestion on many characters',
    limit,
    scale: { ci: 1000, full: 6000 },
    build: (size, at) => [
      sendUpdates(at, [
        paragraphOf(
          Array.from({ length: size }, (_, index) =>
            index % 2 === 0 ? [format('insertion', { id: 'one' }), text('x')] : [format('insertion', null), text('y')],
          ).flat(),
        ),
      ]),
    ],
    expect: 'acknowledged',
  },
  {
    name: 'a suggestion with an id of a megabyte',
    limit: 'ids that the server takes',
    scale: always(1_000_000),
    build: (size, at) => [sendUpdates(at, [paragraphOf([format('insertion', { id: 'x'.repeat(size) }), text('x')])])],
    expect: ['acknowledged', refusals.schema, refusals.tooLarge],
  },
  {
    name: 'a suggestion whose id is an object',
    limit: 'ids that the server takes',
    scale: always(1),
    build: (_, at) => [sendUpdates(at, [paragraphOf([format('insertion', { id: { x: 1 } }), text('x')])])],
    expect: refusals.schema,
  },
  {
    name: 'many suggestions in one attribute of a block',
    limit: 'attributes of blocks',
    scale: { ci: 2000, full: 20_000 },
    build: (size, at) => [
      sendUpdates(at, [
        withAttribute(
          'suggestion',
          JSON.stringify(Array.from({ length: size }, (_, index) => ({ type: 'insertion', id: idOf(index) }))),
        ),
      ]),
    ],
    expect: ['acknowledged', refusals.schema, refusals.tooLarge],
  },
  {
    name: 'a suggestion in an attribute, nested without end',
    limit: 'attributes of blocks',
    scale: { ci: 100_000, full: 500_000 },
    build: (size, at) => [sendUpdates(at, [withAttribute('suggestion', '['.repeat(size) + ']'.repeat(size))])],
    expect: ['acknowledged', refusals.schema, refusals.tooLarge],
  },
  {
    name: 'many threads of one block',
    limit: 'attributes of blocks',
    scale: { ci: 10_000, full: 100_000 },
    build: (size, at) => [
      sendUpdates(at, [withAttribute('threads', Array.from({ length: size }, (_, index) => `t${index}`).join(' '))]),
    ],
    expect: ['acknowledged', refusals.schema, refusals.tooLarge],
  },
  {
    name: 'a comment on much text',
    limit: '20,000 characters that a comment is about',
    scale: always(20_001),
    prepare: (size) => paragraphOf([text('y'.repeat(size))]),
    build: (size) => [
      request('POST', '/api/documents/:id/threads', { quote: 'y'.repeat(size), text: 'About all of it' }),
    ],
    expect: [400, 413],
  },
  {
    name: 'many comments',
    limit: '50 comments on one character',
    scale: { ci: 20, full: 50 },
    build: (size) =>
      Array.from({ length: size }, (_, index) =>
        request('POST', '/api/documents/:id/threads', { quote: 'Start', text: `Comment ${index}` }),
      ),
    expect: 201,
  },
]
