import { createBindingMetadata, readFragment, schema, writeFragment } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { EditorState, type Transaction } from 'prosemirror-state'
import * as Y from 'yjs'
import { type RandomChoices } from '@copydesk/testing'
import { type Ledger, plainText } from './ledger.ts'

/** The editing peer and its random source. */
export type Editor = { name: string; doc: Y.Doc; fragment: Y.XmlFragment; random: RandomChoices; ledger: Ledger }

type Edit = (editor: Editor) => void

/**
 * Makes one random edit that leaves the document valid, however it meets the edits of others: a list or table never
 * loses its first row, since two people could each delete the other half. Text goes in and out by whole words.
 */
export function editAtRandom(editor: Editor): void {
  const edit = editor.random.pick(weighted)
  editor.ledger.record(editor.doc, editor.fragment, () => edit(editor))
}

function typeWord({ random, fragment, ledger, name }: Editor): void {
  const text = pickText(fragment, random)
  if (!text) return
  const token = ledger.newToken(name)
  text.insert(pickBoundary(text, random), random.chance(0.15) ? ` teh ${token} ` : ` ${token} `)
  ledger.noteTyped(token, text)
}

function deleteWord({ random, fragment }: Editor): void {
  const word = pickWord(fragment, random)
  if (word) word.text.delete(word.from, word.length)
}

const marks: Record<string, unknown>[] = [
  { bold: {} },
  { italic: {} },
  { strike: {} },
  { underline: {} },
  { code: {} },
  { bold: null },
  { italic: null },
  { highlight: { color: '#ffee00' } },
  { link: { href: 'https://example.org/', title: null } },
]

function formatWord({ random, fragment }: Editor): void {
  const word = pickWord(fragment, random)
  if (word && !isCode(word.text)) word.text.format(word.from, word.length, random.pick(marks))
}

function insertBlock({ random, fragment, ledger, name }: Editor): void {
  const token = ledger.newToken(name)
  const text = new Y.XmlText(`new ${token} block`)
  const build = random.pick([paragraph, heading, quote, bulletList, taskList, table, codeBlock])
  const block = build(text)
  const index = random.int(fragment.length + 1)
  fragment.insert(index, random.chance(0.1) ? [new Y.XmlElement('horizontalRule'), block] : [block])
  ledger.noteTyped(token, text)
}

function deleteBlock({ random, fragment }: Editor): void {
  if (fragment.length > 3) fragment.delete(random.int(fragment.length), 1)
}

function moveBlock({ random, fragment }: Editor): void {
  if (fragment.length < 2) return
  const from = random.int(fragment.length)
  const block = fragment.get(from)
  if (!(block instanceof Y.XmlElement)) return
  const copy = block.clone()
  fragment.delete(from, 1)
  fragment.insert(random.int(fragment.length + 1), [copy as Y.XmlElement])
}

function addItem({ random, fragment, ledger, name }: Editor): void {
  const list = pickElement(fragment, random, ['bulletList', 'taskList'])
  if (!list) return
  const token = ledger.newToken(name)
  const text = new Y.XmlText(`item ${token}`)
  const item = list.nodeName === 'taskList' ? taskItem(text) : listItem(text)
  list.insert(1 + random.int(list.length), [item])
  ledger.noteTyped(token, text)
}

function addRow({ random, fragment, ledger, name }: Editor): void {
  const grid = pickElement(fragment, random, ['table'])
  const first = grid?.get(0)
  if (!grid || !(first instanceof Y.XmlElement)) return
  const token = ledger.newToken(name)
  const text = new Y.XmlText(`cell ${token}`)
  const rest = Array.from({ length: Math.max(0, first.length - 1) }, () => cell(new Y.XmlText('·')))
  grid.insert(1 + random.int(grid.length), [element('tableRow', [cell(text), ...rest])])
  ledger.noteTyped(token, text)
}

function addColumn({ random, fragment }: Editor): void {
  const grid = pickElement(fragment, random, ['table'])
  for (const row of grid?.toArray() ?? []) {
    if (row instanceof Y.XmlElement) row.insert(row.length, [cell(new Y.XmlText('+'))])
  }
}

function deleteRow({ random, fragment }: Editor): void {
  const rows = pickElement(fragment, random, ['bulletList', 'taskList', 'table'])
  if (rows && rows.length > 1) rows.delete(1 + random.int(rows.length - 1), 1)
}

function breakLine({ random, fragment }: Editor): void {
  const text = pickText(fragment, random)
  const block = text?.parent
  if (!(block instanceof Y.XmlElement) || block.nodeName !== 'paragraph') return
  block.insert(block.length, [new Y.XmlElement('hardBreak'), new Y.XmlText('after a break')])
}

function setTitle({ random, doc, ledger, name }: Editor): void {
  if (random.chance(0.3)) doc.getMap('meta').set('title', `Title ${ledger.newToken(name)}`)
}

/** Runs a ProseMirror transaction as an editor's binding does: read, change and write in one go. */
function withSteps({ fragment }: Editor, build: (state: EditorState) => Transaction | undefined): void {
  const metadata = createBindingMetadata()
  const read = readFragment(fragment, schema, metadata.mapping)
  if (!read.ok) throw new Error(`a replica doesn't fit the schema: ${JSON.stringify(read.problems)}`)
  const transaction = build(EditorState.create({ doc: read.doc }))
  if (!transaction?.docChanged) return
  transaction.doc.check()
  writeFragment(fragment, transaction.doc, metadata)
}

function splitBlock(editor: Editor): void {
  withSteps(editor, ({ doc, tr }) => {
    const block = pickTopTextblock(doc, editor.random)
    if (!block) return undefined
    const boundaries = [...block.node.textContent.matchAll(/ /g)].map(({ index }) => index)
    if (boundaries.length === 0 || block.node.textContent.length !== block.node.content.size) return undefined
    return tr.split(block.position + 1 + editor.random.pick(boundaries))
  })
}

function joinBlocks(editor: Editor): void {
  withSteps(editor, ({ doc, tr }) => {
    const block = pickTopTextblock(doc, editor.random)
    const after = block && doc.resolve(block.position + block.node.nodeSize)
    if (!block || after?.nodeAfter?.type !== block.node.type) return undefined
    return tr.join(after.pos)
  })
}

function changeType(editor: Editor): void {
  withSteps(editor, ({ doc, tr }) => {
    const block = pickTopTextblock(doc, editor.random)
    if (!block) return undefined
    const toHeading = block.node.type.name === 'paragraph' || editor.random.chance(0.5)
    const type = schema.nodes[toHeading ? 'heading' : 'paragraph']!
    const inside = block.position + 1
    return tr.setBlockType(inside, inside, type, toHeading ? { level: 1 + editor.random.int(6) } : {})
  })
}

function wrapBlock(editor: Editor): void {
  withSteps(editor, ({ doc, tr }) => {
    const block = pickTopTextblock(doc, editor.random)
    const range = block && doc.resolve(block.position + 1).blockRange()
    return range ? tr.wrap(range, [{ type: schema.nodes['blockquote']! }]) : undefined
  })
}

const weighted: Edit[] = [
  ...Array<Edit>(14).fill(typeWord),
  ...Array<Edit>(3).fill(deleteWord),
  ...Array<Edit>(4).fill(formatWord),
  ...Array<Edit>(3).fill(insertBlock),
  ...Array<Edit>(2).fill(addItem),
  ...Array<Edit>(2).fill(addRow),
  ...Array<Edit>(2).fill(splitBlock),
  deleteBlock,
  moveBlock,
  addColumn,
  deleteRow,
  breakLine,
  setTitle,
  joinBlocks,
  changeType,
  wrapBlock,
]

function element(
  name: string,
  children: (Y.XmlElement | Y.XmlText)[],
  attributes: Record<string, string | number | boolean> = {},
) {
  const made = new Y.XmlElement<Record<string, string | number | boolean>>(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.insert(0, children)
  return made as Y.XmlElement
}

const paragraph = (text: Y.XmlText): Y.XmlElement => element('paragraph', [text])
const heading = (text: Y.XmlText): Y.XmlElement => element('heading', [text], { level: 2 })
const codeBlock = (text: Y.XmlText): Y.XmlElement => element('codeBlock', [text])
const quote = (text: Y.XmlText): Y.XmlElement => element('blockquote', [paragraph(text)])
const listItem = (text: Y.XmlText): Y.XmlElement => element('listItem', [paragraph(text)])
const taskItem = (text: Y.XmlText): Y.XmlElement => element('taskItem', [paragraph(text)], { checked: false })
const bulletList = (text: Y.XmlText): Y.XmlElement => element('bulletList', [listItem(text)])
const taskList = (text: Y.XmlText): Y.XmlElement => element('taskList', [taskItem(text)])
const cell = (text: Y.XmlText): Y.XmlElement => element('tableCell', [paragraph(text)])
const table = (text: Y.XmlText): Y.XmlElement =>
  element('table', [element('tableRow', [cell(text), cell(new Y.XmlText('two'))])])

function pickElement(fragment: Y.XmlFragment, random: RandomChoices, names: string[]): Y.XmlElement | undefined {
  const found = fragment.toArray().filter((node) => node instanceof Y.XmlElement && names.includes(node.nodeName))
  const picked = found.length > 0 ? random.pick(found) : undefined
  return picked instanceof Y.XmlElement ? picked : undefined
}

function textsIn(parent: Y.XmlFragment): Y.XmlText[] {
  return parent
    .toArray()
    .flatMap((node) => (node instanceof Y.XmlText ? [node] : node instanceof Y.XmlElement ? textsIn(node) : []))
}

function pickText(fragment: Y.XmlFragment, random: RandomChoices): Y.XmlText | undefined {
  const texts = textsIn(fragment)
  return texts.length > 0 ? random.pick(texts) : undefined
}

function pickBoundary(text: Y.XmlText, random: RandomChoices): number {
  const plain = plainText(text)
  return random.pick([0, plain.length, ...[...plain.matchAll(/ /g)].map(({ index }) => index)])
}

function pickWord(fragment: Y.XmlFragment, random: RandomChoices) {
  const text = pickText(fragment, random)
  const words = text ? [...plainText(text).matchAll(/\S+/g)] : []
  if (!text || words.length === 0) return undefined
  const word = random.pick(words)
  return { text, from: word.index, length: word[0].length }
}

function isCode(text: Y.XmlText): boolean {
  return text.parent instanceof Y.XmlElement && text.parent.nodeName === 'codeBlock'
}

function pickTopTextblock(doc: Node, random: RandomChoices): { node: Node; position: number } | undefined {
  const blocks: { node: Node; position: number }[] = []
  doc.forEach((node, position) => {
    if (node.type.name === 'paragraph' || node.type.name === 'heading') blocks.push({ node, position })
  })
  return blocks.length > 0 ? random.pick(blocks) : undefined
}
