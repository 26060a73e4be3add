import { type AttributeRule, extent, flag, integer, oneOf, nullable, text, widths } from './rules.ts'

/**
 * Size limits of one block, for every writer: generous for people, and small enough that a browser renders the block
 * immediately. Editors create tables of at most `columns` columns. The server refuses a row above `rowColumns`, which
 * leaves room for several users who each add columns at the same time.
 */
export const blockLimits = {
  columns: 200,
  rowColumns: 1000,
  rowspan: 10_000,
  latex: 10_000,
  address: 8192,
  textBlock: 200_000,
} as const

const id = text(100)
const address = nullable(text(blockLimits.address))
const title = nullable(text(1000, { part: true }))
const align = nullable(oneOf(['left', 'center', 'right'], null))

/**
 * Ids of threads, and suggestions as JSON. The limit is the one that `review-attributes.ts` applies when it reads them.
 */
const reviewed = { threads: nullable(text(64 * 1024)), suggestion: nullable(text(64 * 1024)) }

const cell = {
  ...reviewed,
  colspan: integer(1, blockLimits.columns),
  rowspan: integer(1, blockLimits.rowspan),
  colwidth: nullable(widths(blockLimits.columns)),
  align,
}

/**
 * Every attribute of every node and mark of the schema, with its allowed values. The server refuses an update with any
 * other value (`checkAttributes`), readers and importers fit existing values (`fitAttributes`, `fitContent`), and
 * editors never write one.
 */
export const attributeTable: Readonly<Record<string, Readonly<Record<string, AttributeRule>>>> = {
  doc: {},
  text: {},
  paragraph: reviewed,
  heading: { ...reviewed, level: integer(1, 6) },
  blockquote: reviewed,
  codeBlock: { ...reviewed, language: nullable(text(500, { part: true })) },
  bulletList: reviewed,
  orderedList: {
    ...reviewed,
    // The range that CommonMark allows.
    start: integer(0, 999_999_999),
    type: nullable(oneOf(['1', 'a', 'A', 'i', 'I'], null)),
  },
  listItem: reviewed,
  taskList: reviewed,
  taskItem: { ...reviewed, checked: nullable(flag) },
  horizontalRule: reviewed,
  hardBreak: reviewed,
  image: {
    ...reviewed,
    src: address,
    alt: nullable(text(4000, { part: true })),
    title,
    width: nullable(extent),
    height: nullable(extent),
    href: address,
    align,
  },
  table: reviewed,
  tableRow: reviewed,
  tableHeader: cell,
  tableCell: cell,
  blockMath: { ...reviewed, latex: text(blockLimits.latex) },
  inlineMath: { ...reviewed, latex: text(blockLimits.latex) },
  mention: {
    ...reviewed,
    id,
    label: text(200, { part: true }),
    kind: oneOf(['agent', 'person'], 'person'),
    requestId: nullable(id),
    state: oneOf(['draft', 'sent'], 'draft'),
  },
  bold: {},
  italic: {},
  strike: {},
  underline: {},
  code: {},
  link: { href: address, title },
  highlight: { color: nullable(text(100)) },
  comment: { threadId: nullable(id) },
  insertion: { id: nullable(id) },
  deletion: { id: nullable(id) },
  // The longest address and title, encoded as JSON.
  formattingChange: { id: nullable(id), mark: nullable(text(40)), previous: nullable(text(64 * 1024)) },
}
