import { contentTypes, createBindingMetadata, schema, writeFragment } from '@copydesk/schema'
import { parseMarkdown } from '@copydesk/schema/markdown'
import { Fragment, type Node, Slice } from 'prosemirror-model'
import * as Y from 'yjs'
import type { EvalCase } from './eval-case.ts'

const built = new Map<string, Uint8Array>()

/** The Yjs update that makes the document of a case; a document that several cases share is parsed once. */
export function buildDocument({ document, calledFrom }: EvalCase): Uint8Array {
  const key = JSON.stringify([document, calledFrom])
  const known = built.get(key)
  if (known) return known
  const doc = new Y.Doc()
  const { doc: parsed, frontmatter, title } = parseMarkdown(document)
  const content = calledFrom?.kind === 'mention' ? withMention(parsed, calledFrom.text) : parsed
  writeFragment(doc.getXmlFragment(contentTypes.fragment), content, createBindingMetadata())
  const meta = doc.getMap(contentTypes.meta)
  if (title !== null) meta.set('title', title)
  if (frontmatter !== null) meta.set('frontmatter', frontmatter)
  const update = Y.encodeStateAsUpdate(doc)
  doc.destroy()
  built.set(key, update)
  return update
}

/** The document with the first `@agent` of the block that holds `text` as a mention. */
function withMention(doc: Node, text: string): Node {
  const block = placeOf(doc, text)
  const at = block && placeOf(doc, '@agent', block.start)
  if (!at) throw new Error(`no block with ${JSON.stringify(text)} mentions @agent`)
  const mention = { id: 'agent', label: 'agent', kind: 'agent', requestId: 'eval', state: 'sent' }
  return doc.replace(at.from, at.to, new Slice(Fragment.from(schema.node('mention', mention)), 0, 0))
}

/** The positions of a text, and of the block that it is in. */
type Found = { from: number; to: number; start: number }

/**
 * The first place of a text within one block, and where that block begins; with `within` only the block there is
 * searched. Every inline atom counts as one character, as it does in positions.
 */
export function placeOf(doc: Node, text: string, within?: number): Found | undefined {
  let found: Found | undefined
  doc.descendants((node, pos) => {
    if (found || !node.isTextblock) return !found
    const at = node.textBetween(0, node.content.size, undefined, '\uFFFC').indexOf(text)
    const isSearched = within === undefined || within === pos
    if (at >= 0 && isSearched) found = { from: pos + 1 + at, to: pos + 1 + at + text.length, start: pos }
    return false
  })
  return found
}
