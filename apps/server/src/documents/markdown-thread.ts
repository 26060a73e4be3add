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
import { serializeHtml } from '@copydesk/schema/html'
import { costOf, parseMarkdown, serializeMarkdown } from '@copydesk/schema/markdown'
import type { Node } from 'prosemirror-model'
import { parseDocument } from 'yaml'
import * as Y from 'yjs'
import { applyUpdates, createVerbatimDoc } from '../store/updates/verbatim-doc.ts'
import { firstWords, summarizeText, type TextSummary } from '../store/first-words.ts'
import { answerRequests } from '../threads/thread-worker.ts'

/** A request to convert Markdown into a document's first update, or a document's updates into text. */
export type MarkdownRequest =
  | { kind: 'seed'; markdown: string; title: string | undefined }
  | { kind: 'render'; updates: readonly Uint8Array[]; format: ExportFormat; changes: ChangesView }

/**
 * The first update of a new document with its title and a summary of its text, or that it would be too large; or a document
 * as text.
 */
export type MarkdownResponse =
  | { kind: 'seed'; update: Uint8Array; title: string; summary: TextSummary }
  | { kind: 'too-large' }
  | { kind: 'render'; body: string }

const titleLimit = 300

answerRequests<MarkdownRequest, MarkdownResponse>((request) => {
  switch (request.kind) {
    case 'seed':
      return seed(request.markdown, request.title)
    case 'render':
      return { kind: 'render', body: render(request) }
  }
})

function seed(markdown: string, given: string | undefined): MarkdownResponse {
  if (costOf(markdown).isTooLarge) return { kind: 'too-large' }
  const parsed = parseMarkdown(markdown)
  const text = parsed.doc.textBetween(0, parsed.doc.content.size, '\n', leafText)
  const written = parsed.title ?? titleIn(parsed.frontmatter) ?? firstWords(text)
  const title = (given || written).slice(0, titleLimit)
  const doc = new Y.Doc()
  doc.transact(() => {
    writeFragment(doc.getXmlFragment(contentTypes.fragment), parsed.doc, createBindingMetadata())
    const meta = doc.getMap(contentTypes.meta)
    meta.set('title', title)
    meta.set('schemaVersion', SCHEMA_VERSION)
    if (parsed.frontmatter !== null) meta.set('frontmatter', parsed.frontmatter)
  })
  return { kind: 'seed', update: Y.encodeStateAsUpdate(doc), title, summary: summarizeText(text, title) }
}

/** The `title` of a frontmatter; null if it has none that is text. */
function titleIn(frontmatter: string | null): string | null {
  const title: unknown = parseDocument(frontmatter ?? '').get('title')
  return (typeof title === 'string' && title.trim()) || null
}

function leafText(leaf: Node): string {
  const { label, latex }: Record<string, unknown> = leaf.attrs
  if (leaf.type.name === 'mention') return `@${typeof label === 'string' ? label : ''}`
  return typeof latex === 'string' ? latex : ''
}

function render({ updates, format, changes }: Extract<MarkdownRequest, { kind: 'render' }>): string {
  const doc = createVerbatimDoc()
  applyUpdates(doc, updates)
  const read = readFragment(doc.getXmlFragment(contentTypes.fragment), schema)
  if (!read.ok) throw new Error(`the content doesn't fit the schema: ${read.problems[0]?.message ?? ''}`)
  if (format === 'json') return JSON.stringify(resolveChanges(read.doc, changes).toJSON())
  if (format === 'html') return serializeHtml(read.doc, { changes })
  const frontmatter: unknown = doc.getMap(contentTypes.meta).get('frontmatter')
  return serializeMarkdown(read.doc, typeof frontmatter === 'string' ? frontmatter : null, { changes })
}
