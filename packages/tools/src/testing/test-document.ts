import { contentTypes, createBindingMetadata, readFragment, schema, writeFragment } from '@copydesk/schema'
import { parseMarkdown, serializeMarkdown } from '@copydesk/schema/markdown'
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { executeToolCall } from '../calls/execute-tool-call.ts'
import type { ToolFailure, ToolResult, ToolSuccess } from '../common/result.ts'
import { createDocumentSession, type DocumentSession } from '../session/document-session.ts'
import type { DocumentSessionOptions } from '../session/host/session-options.ts'

/** A Y.Doc with the content of this markdown. */
export function documentOf(markdown: string, clientID = 1): Y.Doc {
  const { doc, frontmatter } = parseMarkdown(markdown)
  const ydoc = documentOfNode(doc, clientID)
  if (frontmatter !== null) ydoc.getMap(contentTypes.meta).set('frontmatter', frontmatter)
  return ydoc
}

/** A Y.Doc with this ProseMirror document as content. */
export function documentOfNode(doc: Node, clientID = 1): Y.Doc {
  const ydoc = new Y.Doc()
  ydoc.clientID = clientID
  writeFragment(ydoc.getXmlFragment(contentTypes.fragment), doc, createBindingMetadata())
  return ydoc
}

/** Another peer's replica of a document. */
export function replicaOf(doc: Y.Doc, clientID: number): Y.Doc {
  const replica = new Y.Doc()
  replica.clientID = clientID
  Y.applyUpdate(replica, Y.encodeStateAsUpdate(doc))
  return replica
}

/** Exchanges all updates between two replicas. */
export function sync(a: Y.Doc, b: Y.Doc): void {
  Y.applyUpdate(b, Y.encodeStateAsUpdate(a, Y.encodeStateVector(b)))
  Y.applyUpdate(a, Y.encodeStateAsUpdate(b, Y.encodeStateVector(a)))
}

/** Opens a session in mode `edit` with write access. */
export function sessionOn(doc: Y.Doc, options: Partial<DocumentSessionOptions> = {}): DocumentSession {
  return createDocumentSession({
    doc,
    origin: {},
    mode: 'edit',
    caller: { id: 'ada', name: 'Ada' },
    people: () => [{ name: 'Ada', kind: 'person' }],
    selection: () => undefined,
    canEdit: true,
    ...options,
  })
}

/** The document as a ProseMirror node; throws unless it fits the schema. */
export function readNode(doc: Y.Doc): Node {
  const read = readFragment(doc.getXmlFragment(contentTypes.fragment), schema)
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  read.doc.check()
  return read.doc
}

/** The document as markdown, without the line feed at its end. */
export function markdownOf(doc: Y.Doc): string {
  return serializeMarkdown(readNode(doc)).trimEnd()
}

/** The first text type whose characters hold `text`. */
export function textHolding(doc: Y.Doc, text: string): Y.XmlText {
  const found = [...allTexts(doc.getXmlFragment(contentTypes.fragment))].find((each) => plain(each).includes(text))
  if (!found) throw new Error(`no text holds ${text}`)
  return found
}

/** The characters of a text type without its formatting. */
export function plain(text: Y.XmlText): string {
  const delta: { insert: string }[] = text.toDelta()
  return delta.map((part) => part.insert).join('')
}

/** All text types of a fragment, in document order. */
export function* allTexts(type: Y.XmlFragment): Generator<Y.XmlText> {
  for (const child of type.toArray()) {
    if (child instanceof Y.XmlText) yield child
    else if (child instanceof Y.XmlElement) yield* allTexts(child)
  }
}

/** Types `text` before or after the first occurrence of `anchor`, like a user. */
export function typeBeside(doc: Y.Doc, anchor: string, text: string, where: 'before' | 'after' = 'after'): void {
  const type = textHolding(doc, anchor)
  type.insert(plain(type).indexOf(anchor) + (where === 'after' ? anchor.length : 0), text)
}

let calls = 0

/** Executes a tool call under a new call id. */
export function call(session: DocumentSession, name: string, input: unknown = {}): Promise<ToolResult> {
  return executeToolCall(name, input, session, { callId: `call-${calls++}` })
}

/** Executes a tool call that must work. */
export async function succeed(session: DocumentSession, name: string, input: unknown = {}): Promise<ToolSuccess> {
  const result = await call(session, name, input)
  if (!result.ok) throw new Error(result.text)
  return result
}

/** Executes a tool call that must fail. */
export async function fail(session: DocumentSession, name: string, input: unknown = {}): Promise<ToolFailure> {
  const result = await call(session, name, input)
  if (result.ok) throw new Error(`expected a failure, got: ${result.text}`)
  return result
}
