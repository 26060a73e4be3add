import * as Y from 'yjs'
import { type BlockWriter, type Content, element, type Id, text, type, UpdateWriter } from './update-writer.ts'

/** The first client id that an input writes under; its other ids follow. */
export const firstClient = 1_000_000

/** The first unit of text of the first paragraph that one of these makes: the paragraph and its text come before it. */
export const firstUnit: Id = { client: firstClient, clock: 2 }

/**
 * A paragraph, or another block of text, with these contents; answers its id. `after`: the block before it, else it
 * begins its parent.
 */
export function addBlock(
  to: BlockWriter,
  contents: readonly Content[],
  {
    after,
    parent = 'default',
    name = 'paragraph',
  }: { after?: Id | undefined; parent?: string | Id; name?: string } = {},
): Id {
  const block = to.add(element(name), after ? { left: after } : { parent })
  if (contents.length === 0) return block
  const into = to.add(type('xmlText'), { parent: block })
  addTexts(to, contents, into)
  return block
}

/** Contents one after the other at the beginning of a text; answers the last one's id. */
function addTexts(to: BlockWriter, contents: readonly Content[], into: Id): Id {
  let last: Id | undefined
  for (const content of contents) last = to.add(content, last ? { left: last } : { parent: into })
  return last ?? into
}

/** So many characters as items of their own: each stands before the one before it, which Yjs can't join. */
export function addSingles(to: BlockWriter, count: number, into: Id): void {
  let before: Id | undefined
  for (let index = 0; index < count; index++) before = to.add(text('x'), before ? { right: before } : { parent: into })
}

/** So many paragraphs, of the text that `textOf` has for each, as one update. */
export function paragraphs(count: number, textOf: (index: number) => string, client = firstClient): Uint8Array {
  const writer = new UpdateWriter()
  const to = writer.block(client)
  let after: Id | undefined
  for (let index = 0; index < count; index++) after = addBlock(to, [text(textOf(index))], { after })
  return writer.bytes()
}

/** One paragraph with these contents, as an update. */
export function paragraphOf(contents: readonly Content[], client = firstClient): Uint8Array {
  const writer = new UpdateWriter()
  addBlock(writer.block(client), contents)
  return writer.bytes()
}

/** An update of one block of structs, which `add` writes; the first has this clock. */
export function updateOf(
  add: (to: BlockWriter, writer: UpdateWriter) => void,
  client = firstClient,
  clock = 0,
): Uint8Array {
  const writer = new UpdateWriter()
  add(writer.block(client, clock), writer)
  return writer.bytes()
}

/** An update that only deletes: ranges of clocks and lengths under a client id. */
export function deletionOf(
  ranges: Iterable<readonly [clock: number, length: number]>,
  client = firstClient,
): Uint8Array {
  const writer = new UpdateWriter()
  for (const [clock, length] of ranges) writer.delete(client, clock, length)
  return writer.bytes()
}

/** The updates of a person's page, one for each edit, under a client id of its own. */
export function typed(state: Uint8Array, client: number, edit: (doc: Y.Doc) => void): Uint8Array[] {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  doc.clientID = client
  const updates: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => updates.push(update))
  edit(doc)
  doc.destroy()
  return updates
}

/** The text of the block at an index. */
export function textAt(doc: Y.Doc, index: number): Y.XmlText {
  const block = doc.getXmlFragment('default').get(index)
  const found = block instanceof Y.XmlElement ? block.get(0) : undefined
  if (!(found instanceof Y.XmlText)) throw new Error(`block ${index} has no text`)
  return found
}
