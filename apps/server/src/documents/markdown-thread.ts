import type { ChangesView, ExportFormat } from '@copydesk/protocol'
import {
  contentTypes,
  createBindingMetadata,
  readFragment,
  resolveChanges,
  schema,
  SCHEMA_VERSION,
  writeFragment,
} from '@copydesk/schema'
import { longestTitle } from '@copydesk/schema'
import { serializeHtml } from '@copydesk/schema/html'
import { costOf, parseMarkdown, serializeMarkdown } from '@copydesk/schema/markdown'
import type { Node } from 'prosemirror-model'
import { parseDocument } from 'yaml'
import * as Y from 'yjs'
import { applyUpdates, createVerbatimDoc } from '../store/updates/verbatim-doc.ts'
import { firstWords, summarizeText, type TextSummary } from '../store/first-words.ts'
import { answerRequests } from '../threads/thread-worker.ts'
import { copyContent } from './copied-content.ts'

/**
 * A request to convert Markdown into a document's first update, or a document's updates into the first update of a copy
 * or into text.
 */
export type MarkdownRequest =
  | { kind: 'seed'; markdown: string; title: string | undefined }
  | { kind: 'copy'; updates: readonly Uint8Array[]; title: string; from: string; to: string }
  | { kind: 'render'; updates: readonly Uint8Array[]; format: ExportFormat; changes: ChangesView }

/**
 * The first update of a new document with its title and a summary of its text; `too-large`; the same of a copy, with
 * the stored images in it; or a document as text.
 */
export type MarkdownResponse =
  | ({ kind: 'seed' } & Seed)
  | ({ kind: 'copy'; images: string[] } & Seed)
  | { kind: 'too-large' }
  | { kind: 'render'; body: string }

/** A new document: its content as one update, and its title and summary for lists. */
export type Seed = { update: Uint8Array; title: string; summary: TextSummary }

answerRequests<MarkdownRequest, MarkdownResponse>((request) => {
  switch (request.kind) {
    case 'seed':
      return seed(request.markdown, request.title)
    case 'copy':
      return copy(request)
    case 'render':
      return { kind: 'render', body: render(request) }
  }
})

function seed(markdown: string, given: string | undefined): MarkdownResponse {
  if (costOf(markdown).isTooLarge) return { kind: 'too-large' }
  const parsed = parseMarkdown(markdown)
  const written = parsed.title ?? titleIn(parsed.frontmatter) ?? firstWords(textOf(parsed.doc))
  return { kind: 'seed', ...newContent(parsed.doc, given || written, parsed.frontmatter) }
}

function copy({ updates, title, from, to }: Extract<MarkdownRequest, { kind: 'copy' }>): MarkdownResponse {
  const { doc, frontmatter } = read(updates)
  try {
    const copied = copyContent(resolveChanges(doc, 'original'), from, to)
    return { kind: 'copy', images: copied.images, ...newContent(copied.doc, title, frontmatter) }
  } catch (error) {
    // Older servers stored blocks that nest deeper than is allowed now.
    if (error instanceof RangeError) return { kind: 'too-large' }
    throw error
  }
}

function newContent(content: Node, given: string, frontmatter: string | null): Seed {
  const title = given.slice(0, longestTitle)
  const doc = new Y.Doc()
  doc.transact(() => {
    writeFragment(doc.getXmlFragment(contentTypes.fragment), content, createBindingMetadata())
    const meta = doc.getMap(contentTypes.meta)
    meta.set('title', title)
    meta.set('schemaVersion', SCHEMA_VERSION)
    if (frontmatter !== null) meta.set('frontmatter', frontmatter)
  })
  return { update: Y.encodeStateAsUpdate(doc), title, summary: summarizeText(textOf(content), title) }
}

function textOf(doc: Node): string {
  return doc.textBetween(0, doc.content.size, '\n', leafText)
}

/** The `title` of a frontmatter; null if it has none, or one that isn't text. */
function titleIn(frontmatter: string | null): string | null {
  const title: unknown = parseDocument(frontmatter ?? '').get('title')
  return (typeof title === 'string' && title.trim()) || null
}

function leafText(leaf: Node): string {
  const { label, latex, title }: Record<string, unknown> = leaf.attrs
  if (leaf.type.name === 'image') return typeof title === 'string' ? title : ''
  if (leaf.type.name === 'hardBreak') return ' '
  if (leaf.type.name === 'mention') return `@${typeof label === 'string' ? label : ''}`
  return typeof latex === 'string' ? latex : ''
}

function render({ updates, format, changes }: Extract<MarkdownRequest, { kind: 'render' }>): string {
  const { doc, frontmatter } = read(updates)
  if (format === 'json') return JSON.stringify(resolveChanges(doc, changes).toJSON())
  if (format === 'html') return serializeHtml(doc, { changes })
  return serializeMarkdown(doc, frontmatter, { changes })
}

function read(updates: readonly Uint8Array[]): { doc: Node; frontmatter: string | null } {
  const doc = createVerbatimDoc()
  applyUpdates(doc, updates)
  const content = readFragment(doc.getXmlFragment(contentTypes.fragment), schema)
  if (!content.ok) throw new Error(`the content doesn't fit the schema: ${content.problems[0]?.message ?? ''}`)
  const frontmatter: unknown = doc.getMap(contentTypes.meta).get('frontmatter')
  return { doc: content.doc, frontmatter: typeof frontmatter === 'string' ? frontmatter : null }
}
