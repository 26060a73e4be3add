import { syncFrame } from '@copydesk/testing'
import { paragraphOf, paragraphs, updateOf } from '../blocks.ts'
import { always, type HostileInput, postUpdate, sendFrames, sendUpdates } from '../hostile-input.ts'
import { limits, refusals } from '../limits.ts'
import { type Content, element, text } from '../update-writer.ts'

const { textItemUnits, combiningMarks, clock, documentCharacters, frameBytes, updateBytes } = limits
const inItem = `${textItemUnits} units in a text item`
const inRow = `${combiningMarks} combining marks in a row`
const inFrame = `${frameBytes} bytes in a frame`
const mark = '\u0301'

const oneParagraph = (
  name: string,
  limit: string,
  contents: () => Content[],
  expect: HostileInput['expect'],
): HostileInput => ({
  name,
  limit,
  scale: always(1),
  build: (_, at) => [sendUpdates(at, [paragraphOf(contents())])],
  expect,
})

/** How long texts, clocks, frames and bodies may be. */
export const lengths: readonly HostileInput[] = [
  oneParagraph('a text as long as an item may be', inItem, () => [text('x'.repeat(textItemUnits))], 'acknowledged'),
  oneParagraph(
    'a text that is a unit too long',
    inItem,
    () => [text('x'.repeat(textItemUnits + 1))],
    refusals.tooLarge,
  ),
  oneParagraph(
    'the same of characters of two units',
    inItem,
    () => [text('😀'.repeat(textItemUnits / 2))],
    'acknowledged',
  ),
  oneParagraph('halves of characters of two units', inItem, () => [text('😀'.repeat(1000).slice(1))], [
    'acknowledged',
    refusals.schema,
    refusals.invalid,
  ]),
  oneParagraph('an item without text', inItem, () => [text('')], [refusals.invalid, refusals.schema, 'acknowledged']),
  oneParagraph(
    'as many combining marks as may follow each other',
    inRow,
    () => [text(`a${mark.repeat(combiningMarks)}`.repeat(1000))],
    'acknowledged',
  ),
  oneParagraph(
    'one combining mark too many',
    inRow,
    () => [text(`a${mark.repeat(combiningMarks + 1)}`)],
    'acknowledged',
  ),
  oneParagraph(
    'one combining mark too many, in two items, which a page draws as two',
    inRow,
    () => [text(`a${mark.repeat(combiningMarks)}`), text(`${mark}b`)],
    'acknowledged',
  ),
  oneParagraph('half a million combining marks', inRow, () => [text(`a${mark.repeat(500_000)}`)], 'acknowledged'),
  oneParagraph('a text of direction marks and joiners', inItem, () => [text('\u202e\u200d\u2066'.repeat(100_000))], [
    'acknowledged',
    refusals.schema,
  ]),
  {
    name: 'a block with a name of a megabyte',
    limit: 'the nodes of docs/protocol.md',
    scale: always(1_000_000),
    build: (size, at) => [
      sendUpdates(at, [updateOf((to) => to.add(element('x'.repeat(size)), { parent: 'default' }))]),
    ],
    expect: refusals.schema,
  },
  {
    name: 'a clock just below the last',
    limit: `clocks below ${clock}`,
    scale: always(clock - 1000),
    build: (size, at) => [
      sendUpdates(at, [
        updateOf((to) => {
          to.gc(size)
          to.add(element('paragraph'), { parent: 'default' })
        }),
      ]),
    ],
    expect: ['acknowledged', refusals.tooLarge],
  },
  {
    name: 'a clock beyond the last',
    limit: `clocks below ${clock}`,
    scale: always(clock),
    build: (size, at) => [
      sendUpdates(at, [
        updateOf((to) => {
          to.gc(size)
          to.add(element('paragraph'), { parent: 'default' })
        }),
      ]),
    ],
    expect: [refusals.invalid, refusals.tooLarge],
  },
  {
    name: 'a clock of 53 bits',
    limit: `clocks below ${clock}`,
    scale: always(Number.MAX_SAFE_INTEGER - 10),
    build: (size, at) => [sendUpdates(at, [updateOf((to) => void to.gc(size))])],
    expect: [refusals.invalid, refusals.tooLarge],
  },
  {
    name: 'as many characters as a document may have',
    limit: `${documentCharacters} characters in a document`,
    scale: { ci: 1_000_000, full: documentCharacters - 1000 },
    build: (size, at) => [sendUpdates(at, [paragraphs(Math.floor(size / 1000), () => 'x'.repeat(1000))])],
    expect: 'acknowledged',
  },
  {
    name: 'characters beyond what a document may have',
    limit: `${documentCharacters} characters in a document`,
    scale: always(documentCharacters),
    prepare: (size) => paragraphs(Math.floor(size / 1000) - 1, () => 'x'.repeat(1000)),
    build: (_, at) => [sendUpdates(at, [paragraphs(2, () => 'y'.repeat(1000), 2_000_000)])],
    expect: refusals.documentFull,
  },
  {
    name: 'a frame that is larger than it may be',
    limit: inFrame,
    scale: always(frameBytes + 1),
    build: (size, at) => [sendFrames([syncFrame(at.id, 2, new Uint8Array(size))])],
    expect: refusals.frameTooLarge,
  },
  {
    name: 'a frame of zeros, as large as it may be',
    limit: inFrame,
    scale: always(frameBytes - 100),
    build: (size, at) => [sendFrames([syncFrame(at.id, 2, new Uint8Array(size))])],
    expect: refusals.invalid,
  },
  {
    name: 'an update by HTTP of zeros, as large as it may be',
    limit: `${updateBytes} bytes of an update by HTTP`,
    scale: always(updateBytes),
    build: (size, at) => [postUpdate(at, new Uint8Array(size))],
    expect: 400,
  },
  {
    name: 'an update by HTTP that is larger than it may be',
    limit: `${updateBytes} bytes of an update by HTTP`,
    scale: always(updateBytes + 1),
    build: (size, at) => [postUpdate(at, new Uint8Array(size))],
    expect: 413,
  },
]
