import { type Mark, type MarkType, type Node, type Schema } from 'prosemirror-model'
import * as Y from 'yjs'
import { fitAttributes } from '../attributes/fit.ts'
import { reviewMarkNames } from '../marks/review.ts'
import { noticeFor } from './nesting.ts'
import { type BindingMetadata, createBindingMetadata } from './write-fragment.ts'

/** Y type → the ProseMirror node (or run of text nodes) it was read as: y-prosemirror's own mapping format. */
export type YMapping = BindingMetadata['mapping']

/** Why a part of a fragment couldn't be read. `path` holds child indices from the fragment down. */
export type ReadProblem = { path: number[]; name: string; message: string }

/** The outcome of reading a fragment: the document if all of it fits the schema, else the problems. */
export type ReadResult = { ok: true; doc: Node } | { ok: false; problems: ReadProblem[] }

type ReadState = { schema: Schema; mapping: YMapping; problems: ReadProblem[] }

/**
 * Reads a Y.XmlFragment as a ProseMirror document, without ever writing to it: y-prosemirror's own readers delete
 * content that the schema refuses. Types found in `mapping` are reused, newly read types are added, so that a second
 * read after a small change costs only the change (drop a changed type and its ancestors from the mapping first).
 *
 * Attributes of review and mentions with an unusable form read as missing: a broken reference to a comment must not
 * make a document unreadable. An attribute out of its range (`attributeTable`), which documents written before the
 * server validated attributes may hold, reads as the nearest value in range; text that is too long stays unchanged. In
 * a block that nests deeper than any server accepts, a paragraph that says so replaces the content and is mapped to it:
 * a writer that uses the mapping leaves the stored content unchanged. An empty fragment reads as a document with one
 * empty paragraph, which is how every editor shows it.
 */
export function readFragment(
  fragment: Y.XmlFragment,
  schema: Schema,
  mapping: YMapping = createBindingMetadata().mapping,
): ReadResult {
  const state: ReadState = { schema, mapping, problems: [] }
  const children = readChildren(fragment, [], state)
  if (state.problems.length > 0) return { ok: false, problems: state.problems }
  try {
    const doc =
      children.length === 0 ? schema.topNodeType.createAndFill() : schema.topNodeType.createChecked(null, children)
    if (!doc) throw new Error('the schema has no empty document')
    mapping.set(fragment, doc)
    return { ok: true, doc }
  } catch (error) {
    return { ok: false, problems: [problem([], 'doc', error)] }
  }
}

/**
 * Re-reads one block of a fragment, for a caller that has read the rest; types in `mapping` are reused. `undefined` if
 * the block doesn't fit the schema.
 */
export function readBlock(element: Y.XmlElement, schema: Schema, mapping: YMapping): Node | undefined {
  const state: ReadState = { schema, mapping, problems: [] }
  // A top-level block.
  const read = readType(element, [0], state)
  return state.problems.length > 0 || Array.isArray(read) ? undefined : read
}

function readChildren(parent: Y.XmlFragment, path: number[], state: ReadState): Node[] {
  const children: Node[] = []
  parent.toArray().forEach((child, index) => {
    const known: Node | Node[] | undefined = child instanceof Y.XmlHook ? undefined : state.mapping.get(child)
    const read = known ?? readType(child, [...path, index], state)
    if (Array.isArray(read)) children.push(...read)
    else if (read) children.push(read)
  })
  return children
}

function readType(type: unknown, path: number[], state: ReadState): Node | Node[] | undefined {
  if (type instanceof Y.XmlElement || type instanceof Y.XmlText) {
    try {
      const read = type instanceof Y.XmlElement ? readElement(type, path, state) : readText(type, state.schema)
      if (read !== undefined) state.mapping.set(type, read)
      return read
    } catch (error) {
      state.problems.push(problem(path, type instanceof Y.XmlElement ? type.nodeName : 'text', error))
      return undefined
    }
  }
  state.problems.push({ path, name: 'unknown', message: 'neither an element nor text' })
  return undefined
}

function readElement(element: Y.XmlElement, path: number[], state: ReadState): Node | undefined {
  const found = state.problems.length
  const type = state.schema.nodes[element.nodeName]
  const notice = noticeFor(type, path.length)
  const children = notice ? [notice] : readChildren(element, path, state)
  if (state.problems.length > found) return undefined
  if (!type) throw new RangeError(`unknown node type ${element.nodeName}`)
  return type.createChecked(fitAttributes(type.name, readAttributes(element)), children)
}

const reviewAttributes: readonly string[] = ['threads', 'suggestion']

// Attributes of review and of mentions are strings; any other value is replaced by the schema's default.
function readAttributes(element: Y.XmlElement): Record<string, unknown> {
  const attributes: Record<string, unknown> = element.getAttributes()
  const names = element.nodeName === 'mention' ? Object.keys(attributes) : reviewAttributes
  for (const name of names) if (typeof attributes[name] !== 'string') delete attributes[name]
  return attributes
}

function readText(text: Y.XmlText, schema: Schema): Node[] {
  const delta: { insert?: unknown; attributes?: Record<string, unknown> }[] = text.toDelta()
  const known: KnownMarks = { byName: new Map(), bySense: new Map() }
  return delta.map((part) => {
    if (typeof part.insert !== 'string') throw new RangeError('an embedded object inside text')
    const marks = readMarks(part.attributes ?? {}, schema, known)
    checkTogether(marks)
    return schema.text(part.insert, marks)
  })
}

/**
 * A cache of the marks of one text, so that each is created and checked once if many overlap: the last mark of each
 * name, and the marks by kind and content. Undefined means an ignored mark.
 */
type KnownMarks = {
  byName: Map<string, { value: unknown; mark: Mark | undefined }>
  bySense: Map<string, Mark>
}

// A mark that may overlap with its own kind is stored as `name--hash`, the hash being eight base64 characters.
const overlappingMark = /^(.*)--[a-zA-Z0-9+/=]{8}$/

function readMarks(attributes: Record<string, unknown>, schema: Schema, known: KnownMarks): Mark[] {
  const marks = new Set<Mark>()
  for (const name of Object.keys(attributes)) {
    const value = attributes[name]
    let last = known.byName.get(name)
    if (last?.value !== value || last === undefined) {
      last = { value, mark: readMark(overlappingMark.exec(name)?.[1] ?? name, value, schema, known) }
      known.byName.set(name, last)
    }
    if (last.mark) marks.add(last.mark)
  }
  return [...marks]
}

function readMark(kind: string, value: unknown, schema: Schema, { bySense }: KnownMarks): Mark | undefined {
  const type = schema.marks[kind]
  if (!type) throw new RangeError(`unknown mark ${kind}`)
  const read = type.create(isRecord(value) ? value : null)
  const isReview = reviewMarks.has(kind)
  if (isReview && !Object.values(read.attrs).every(isText)) return undefined
  const mark = isReview ? read : type.create(fitAttributes(kind, read.attrs))
  schema.text(' ', [mark]).check()
  // The same mark under two hashed names of its kind is one mark.
  const sense = `${kind} ${JSON.stringify(mark.attrs)}`
  const same = bySense.get(sense) ?? mark
  bySense.set(sense, same)
  return same
}

// Marks that exclude each other pass every other check, but an editor deletes the paragraph for them. The same rule as
// in `Node.check`; the cost depends on the number of mark types, which is small.
function checkTogether(marks: readonly Mark[]): void {
  const types = new Set<MarkType>()
  for (const { type } of marks) {
    if (types.has(type) && type.excludes(type)) throw new RangeError(`mark ${type.name} twice`)
    types.add(type)
  }
  for (const type of types) {
    for (const other of types) {
      if (other !== type && type.excludes(other)) throw new RangeError(`mark ${type.name} beside ${other.name}`)
    }
  }
}

const reviewMarks: ReadonlySet<string> = new Set(reviewMarkNames)

function isText(value: unknown): boolean {
  return typeof value === 'string' || value === null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function problem(path: number[], name: string, error: unknown): ReadProblem {
  return { path, name, message: error instanceof Error ? error.message : String(error) }
}
