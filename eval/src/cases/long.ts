import { all, answersOnly, becomes, commentCount, comments, untouched } from '../checks.ts'
import { edited } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, comment, edit, replaceAll, section } from '../scripting.ts'

const words = 'the harbour office keeps records of ships crews cargo weather prices and repairs for each season'.split(
  ' ',
)

/** A paragraph of `count` words, which differs from others by its numbers alone. */
function paragraph(chapter: number, part: number, count: number): string {
  const text = Array.from({ length: count - 2 }, (_, index) => words[(index * 7 + part * 3) % words.length]).join(' ')
  return `Entry ${chapter}.${part} ${text}.`
}

function chapterOf(chapter: number): string {
  const parts = Array.from({ length: 10 }, (_, part) => paragraph(chapter, part + 1, 50))
  if (chapter === 150) parts[4] = 'The lighthouse keeper recieved 1,200 barrels of oil in March.'
  return [`## Chapter ${chapter}`, ...parts].join('\n\n')
}

/** About 100,000 words in 200 sections. */
const archive = `# Archive\n\n${Array.from({ length: 200 }, (_, index) => chapterOf(index + 1)).join('\n\n')}\n`

/** Commands on a document of 100,000 words, of which a model sees a small part at a time. */
export const long = inGroup('long', [
  {
    id: 'typo',
    document: archive,
    ask: 'somewhere it says "recieved", fix that',
    script: [edit('recieved', 'received'), '- received'],
    check: becomes(edited(archive, ['recieved', 'received'])),
  },
  {
    id: 'searched',
    document: archive,
    ask: 'the keeper got 1,300 barrels, not 1,200',
    script: [call('search_document', { query: 'barrels' }), edit('1,200 barrels', '1,300 barrels'), '- 1,300 barrels'],
    check: becomes(edited(archive, ['1,200', '1,300'])),
  },
  {
    id: 'misread',
    document: archive,
    ask: 'write "lighthouse master" instead of keeper',
    script: [
      edit('The lighthouse keeper received 1,200', 'The lighthouse master received 1,200'),
      edit('lighthouse keeper', 'lighthouse master'),
      '- master',
    ],
    mistake: { code: 'not_found', hint: /Did you mean "The lighthouse keeper recieved 1,200/ },
    check: becomes(edited(archive, ['lighthouse keeper', 'lighthouse master'])),
  },
  {
    id: 'heading',
    document: archive,
    ask: 'chapter 180 is called "Storms"',
    script: [edit('Chapter 180', 'Storms'), '- Storms'],
    check: becomes(edited(archive, ['## Chapter 180', '## Storms'])),
  },
  {
    id: 'everywhere',
    document: archive,
    ask: 'chapters are "Books", everywhere',
    script: [replaceAll('Chapter', 'Book', { matchCase: true }), '- 200 headings'],
    check: becomes(archive.replaceAll('## Chapter', '## Book')),
  },
  {
    id: 'section-away',
    document: archive,
    ask: 'delete chapter 199',
    script: [section('delete', { sectionIndex: 199 }), '- deleted'],
    check: becomes(edited(archive, [`${chapterOf(199)}\n\n`, ''])),
  },
  {
    id: 'question',
    document: archive,
    ask: 'how much oil came to the lighthouse?',
    script: [call('search_document', { query: 'lighthouse' }), '1,200 barrels, in March.'],
    wrong: [edit('1,200 barrels', '1,200 barrels of oil'), '1,200 barrels, in March.'],
    check: answersOnly('1,200'),
  },
  {
    id: 'selected',
    document: archive,
    ask: 'delete this',
    selection: `Entry 120.3`,
    script: [edit('Entry 120.3 ', ''), '- Entry 120.3'],
    check: becomes(edited(archive, ['Entry 120.3 ', ''])),
  },
  {
    id: 'person',
    document: archive,
    ask: 'the oil came in May',
    concurrentEdits: [{ by: 'Ben', call: 0, edit: { kind: 'type', after: 'barrels of', text: ' lamp' } }],
    script: [edit('in March', 'in May'), '- May'],
    check: becomes(edited(archive, ['of oil in March', 'of lamp oil in May'])),
  },
  {
    id: 'comment',
    document: archive,
    ask: 'comment on the barrels: is the number right?',
    script: [comment('1,200 barrels', 'Is the number right?'), 'Commented.'],
    check: all(untouched, comments('1,200 barrels'), commentCount(1)),
  },
])
