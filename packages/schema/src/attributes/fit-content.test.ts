import { Fragment, type Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { schema } from '../extensions.ts'
import { parseMarkdown } from '../markdown/index.ts'
import { checkAttributes } from '../yjs/check-added.ts'
import { fitContent } from './fit-content.ts'
import { blockLimits } from './table.ts'

const paragraph = (...content: Node[]) => schema.node('paragraph', null, content)
const longAddress = `https://example.org/${'x'.repeat(blockLimits.address)}`

function cell(words: string, attributes: Record<string, unknown> = {}): Node {
  return schema.node('tableCell', attributes, paragraph(...(words ? [schema.text(words)] : [])))
}

function table(...rows: Node[][]): Node {
  return schema.node(
    'table',
    null,
    rows.map((cells) => schema.node('tableRow', null, cells)),
  )
}

/** The fitted blocks as one document, every attribute of which is allowed. */
function fit(...blocks: Node[]): Node {
  const { content } = fitContent(Fragment.fromArray(blocks))
  const doc = schema.node('doc', null, content)
  doc.check()
  doc.descendants((node) => {
    checkAttributes(node.type.name, node.attrs)
    for (const mark of node.marks) checkAttributes(mark.type.name, mark.attrs)
  })
  return doc
}

test('[CONTENT-6] content within the limits comes back as the same object', () => {
  const content = Fragment.fromArray([paragraph(schema.text('x')), table([cell('a'), cell('b')])])
  expect(fitContent(content)).toEqual({ content, isChanged: false })
  expect(fitContent(content).content).toBe(content)
})

test('[CONTENT-6] a link with too long an address becomes its text, such an image its description', () => {
  const link = schema.mark('link', { href: longAddress })
  const bold = schema.mark('bold')
  const doc = fit(
    paragraph(schema.text('words', [bold, link])),
    schema.node('image', { src: longAddress, alt: 'A cat' }),
  )
  expect(doc.firstChild?.firstChild?.marks.map(({ type }) => type.name)).toEqual(['bold'])
  expect(doc.lastChild?.textContent).toBe('A cat')
})

test('[CONTENT-6] a formula that is too long becomes its source', () => {
  const latex = 'x+'.repeat(220_000)
  const doc = fit(paragraph(schema.node('inlineMath', { latex })), schema.node('blockMath', { latex }))
  expect(doc.textContent).toHaveLength(2 * latex.length + 2)
  expect(doc.lastChild?.type.name).toBe('codeBlock')
})

test('[CONTENT-6] a cell that covers a thousand columns covers those that there are', () => {
  const doc = fit(table([cell('all', { colspan: 1e9 })], [cell('a'), cell('b'), cell('c', { rowspan: 99 })]))
  const spans: unknown[] = []
  doc.descendants(
    (node) => void (node.type.name === 'tableCell' && spans.push([node.attrs.colspan, node.attrs.rowspan])),
  )
  expect(spans).toEqual([
    [3, 1],
    [1, 1],
    [1, 1],
    [1, 1],
  ])
})

test('[CONTENT-6] a table that is too wide becomes a line for each row', () => {
  const wide = Array.from({ length: 300 }, (_, index) => cell(String(index)))
  const doc = fit(table(wide, wide))
  expect(doc.childCount).toBe(2)
  expect(doc.firstChild?.textContent).toMatch(/^0 \| 1 \| 2 .* \| 299$/)
})

test('[CONTENT-6] text that is too long for a block continues in the next, cut between words', () => {
  const words = 'lorem ipsum '.repeat(50_000)
  const doc = fit(paragraph(schema.text(words)), schema.node('codeBlock', null, schema.text('😀'.repeat(150_000))))
  expect(doc.textContent).toBe(words + '😀'.repeat(150_000))
  expect(doc.children.every((block) => block.content.size <= blockLimits.textBlock)).toBe(true)
  expect(doc.firstChild?.textContent.endsWith(' ')).toBe(true)
  for (const block of doc.children) expect(block.textContent.isWellFormed()).toBe(true)
})

test('[CONTENT-6] markdown beyond the limits is read within them, and no word is lost', () => {
  const { doc } = parseMarkdown(
    `[words](${longAddress})\n\n$$\n${'y'.repeat(440_000)}\n$$\n\n\`\`\`${'z'.repeat(600)}\ncode\n\`\`\`\n\n# ${'t'.repeat(210_000)}`,
  )
  expect(fitContent(doc.content).isChanged).toBe(false)
  for (const words of ['words', 'y'.repeat(440_000), 'code']) expect(doc.textContent).toContain(words)
  expect(doc.textContent.match(/t/g)?.length).toBe(210_000)
})
