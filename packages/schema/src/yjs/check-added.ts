import type { ContentMatch, NodeType, Schema, Attrs } from 'prosemirror-model'
import * as Y from 'yjs'
import { blockLimits, attributeTable } from '../attributes/table.ts'
import { reviewMarkNames } from '../marks/review.ts'
import type { AddedItem, ParentOf, YType } from './added-item.ts'

/** Deeper than people nest content; recursive readers have enough stack for it. */
const deepest = 200

// A mark that may overlap with its own kind is stored as `name--hash`, the hash being eight base64 characters.
const overlappingMark = /^(.*)--[a-zA-Z0-9+/=]{8}$/
const reviewMarks: ReadonlySet<string> = new Set(reviewMarkNames)
const reviewAttributes: ReadonlySet<string> = new Set(['threads', 'suggestion'])

/** The added items are not written by an editor of this schema. */
class Refused extends Error {
  override readonly name = 'Refused'
}

/**
 * Returns why one of these items, added to the content of `fragment`, is invalid in every document of the schema,
 * independent of its other content; undefined if all of them are valid. Editors delete content that they can't read
 * together with its descendants, so the server calls this before it forwards an update. A violation that also depends
 * on siblings (an empty list) is not refused, see `completeContainers`. The cost is linear in the number of items and
 * independent of the size of the document. The items may not be in the document yet: then `parentOf` knows their types.
 */
export function checkAdded(
  items: Iterable<AddedItem>,
  fragment: Y.XmlFragment,
  schema: Schema,
  parentOf: ParentOf = parentInDocument,
): string | undefined {
  const depths = new Map<YType, number | undefined>([[fragment, 0]])
  const checkRow = createRowCheck(parentOf)
  try {
    for (const item of items) {
      if (!(item.parent instanceof Y.AbstractType)) continue
      const depth = depthOf(item.parent, depths, parentOf)
      if (depth === undefined) continue
      if (depth >= deepest) throw new Refused(`nested more than ${deepest} levels deep`)
      checkItem(item, fragment, schema, parentOf)
      checkRow(item)
    }
    return undefined
  } catch (error) {
    if (error instanceof RangeError || error instanceof Refused) return error.message
    throw error
  }
}

function parentInDocument({ _item }: YType): YType | null {
  return (_item?.parent as YType | undefined) ?? null
}

/** The depth of a type in the content; undefined if it belongs to another root. */
function depthOf(type: YType, depths: Map<YType, number | undefined>, parentOf: ParentOf): number | undefined {
  const path: YType[] = []
  let current: YType | null = type
  for (; current && !depths.has(current); current = parentOf(current)) path.push(current)
  let depth = current ? depths.get(current) : undefined
  for (const each of path.toReversed()) {
    depth = depth === undefined ? undefined : depth + 1
    depths.set(each, depth)
  }
  return depth
}

function checkItem(item: AddedItem, fragment: Y.XmlFragment, schema: Schema, parentOf: ParentOf): void {
  const { parent, parentSub, content } = item
  if (content instanceof Y.ContentDeleted) return undefined
  if (parent === fragment) {
    if (parentSub !== null) throw new Refused('an attribute of the document itself')
    return checkChild(schema.topNodeType, content, schema)
  }
  if (parent instanceof Y.XmlElement) {
    const type = nodeTypeOf(parent, schema)
    return parentSub === null ? checkChild(type, content, schema) : checkAttribute(type, parentSub, content)
  }
  if (!(parent instanceof Y.XmlText)) throw new Refused('something that is neither an element nor text')
  if (content instanceof Y.ContentString) return undefined
  if (!(content instanceof Y.ContentFormat)) throw new Refused('an embedded object inside text')
  if (content.value !== null) checkMark(parentOf(parent), content.key, content.value, schema)
}

function checkChild(parent: NodeType, content: Y.Item['content'], schema: Schema): void {
  const child: unknown = content instanceof Y.ContentType ? content.type : undefined
  const type = child instanceof Y.XmlElement ? nodeTypeOf(child, schema) : textType(child, schema)
  if (!type) throw new Refused(`something in ${parent.name} that is neither an element nor text`)
  if (!possibleChildren(parent).has(type)) throw new Refused(`${type.name} inside ${parent.name}`)
}

function textType(child: unknown, schema: Schema): NodeType | undefined {
  return child instanceof Y.XmlText ? schema.nodes.text : undefined
}

function nodeTypeOf(element: Y.XmlElement, schema: Schema): NodeType {
  const type = schema.nodes[element.nodeName]
  // A text node is not an element, whatever its node name claims.
  if (!type || type.isText) throw new Refused(`unknown node type ${shorten(element.nodeName)}`)
  return type
}

function checkAttribute(type: NodeType, name: string, content: Y.Item['content']): void {
  if (!(content instanceof Y.ContentAny)) throw new Refused(`invalid attribute ${shorten(name)} of ${type.name}`)
  const value: unknown = content.arr.at(-1)
  const isText = reviewAttributes.has(name) || type.name === 'mention'
  if (isText && !isNothing(value) && typeof value !== 'string') {
    throw new Refused(`invalid attribute ${shorten(name)} of ${type.name}`)
  }
  checkAttributes(type.name, { [shorten(name)]: value })
}

function checkMark(block: YType | null, key: string, value: unknown, schema: Schema): void {
  const name = overlappingMark.exec(key)?.[1]
  const type = schema.marks[name ?? key]
  if (!type) throw new Refused(`unknown mark ${shorten(key)}`)
  if (name !== undefined && type.excludes(type)) throw new Refused(`mark ${type.name} twice`)
  const parent = block instanceof Y.XmlElement ? nodeTypeOf(block, schema) : undefined
  if (!parent?.allowsMarkType(type)) throw new Refused(`mark ${type.name} inside ${parent?.name ?? 'the document'}`)
  const given = typeof value === 'object' ? (value as Record<string, unknown>) : null
  checkAttributes(type.name, given ?? {})
  const { attrs } = type.create(given)
  const areTexts = Object.values(attrs).every((each) => isNothing(each) || typeof each === 'string')
  if (reviewMarks.has(type.name) && !areTexts) throw new Refused(`invalid attribute of ${type.name}`)
}

const children = new WeakMap<NodeType, ReadonlySet<NodeType>>()

/** The types that a node can contain at all, with any siblings. */
function possibleChildren(parent: NodeType): ReadonlySet<NodeType> {
  const known = children.get(parent)
  if (known) return known
  const found = new Set<NodeType>()
  const matches = new Set<ContentMatch>([parent.contentMatch])
  // The set grows during the iteration.
  for (const match of matches) {
    for (let index = 0; index < match.edgeCount; index++) {
      const { type, next } = match.edge(index)
      found.add(type)
      matches.add(next)
    }
  }
  children.set(parent, found)
  return found
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}

function shorten(name: string): string {
  return name.slice(0, 40)
}

/**
 * Adds up the columns of table rows that get new or wider cells, including their existing cells; throws a `RangeError`
 * for the first row that is too wide. Cells that the same update deletes count too: `rowColumns` leaves room for that.
 */
function createRowCheck(parentOf: ParentOf): (item: AddedItem) => void {
  const rows = new Map<Y.XmlElement, number>()
  const widen = (row: Y.XmlElement, by: number): void => {
    const columns = (rows.get(row) ?? columnsOf(row)) + by
    if (columns > blockLimits.rowColumns) {
      throw new RangeError(`a table row of more than ${blockLimits.rowColumns} columns`)
    }
    rows.set(row, columns)
  }
  return ({ parent, parentSub, content }) => {
    if (!(parent instanceof Y.XmlElement)) return
    if (isRow(parent) && parentSub === null && content instanceof Y.ContentType) return widen(parent, 1)
    const row = parentSub === 'colspan' ? parentOf(parent) : null
    const span: unknown = content instanceof Y.ContentAny ? content.arr.at(-1) : 1
    if (isRow(row) && typeof span === 'number' && span > 1) widen(row, span - 1)
  }
}

function isRow(type: unknown): type is Y.XmlElement {
  return type instanceof Y.XmlElement && type.nodeName === 'tableRow'
}

function columnsOf(row: Y.XmlElement): number {
  let columns = 0
  for (let item = row._start; item !== null && columns <= blockLimits.rowColumns; item = item.right) {
    if (item.deleted) continue
    const cell: unknown = item.content instanceof Y.ContentType ? item.content.type : undefined
    const span: unknown = cell instanceof Y.XmlElement ? cell.getAttribute('colspan') : undefined
    columns += typeof span === 'number' ? span : 1
  }
  return columns
}

/**
 * Throws a `RangeError` for the first attribute of a node or mark type that `attributeTable` doesn't name or whose
 * value it doesn't allow. This is not a `validate` in the schema, because y-prosemirror deletes a node from the shared
 * document when the schema's own check refuses it: a stricter schema would cost users text.
 */
export function checkAttributes(name: string, attributes: Attrs): void {
  // Peers choose the names of types and attributes, `constructor` for one.
  const rules = Object.hasOwn(attributeTable, name) ? attributeTable[name] : undefined
  for (const [key, value] of Object.entries(attributes)) {
    // An editor uses the default for a missing attribute.
    if (value === undefined) continue
    const rule = rules && Object.hasOwn(rules, key) ? rules[key] : undefined
    if (!rule) throw new RangeError(`unknown attribute ${key} of ${name}`)
    if (!rule.allows(value)) throw new RangeError(`invalid attribute ${key} of ${name}: ${rule.range}`)
  }
}
