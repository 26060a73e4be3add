import { isFrontmatter } from '@copydesk/schema'
import { Transform } from 'prosemirror-transform'
import { type Document, isMap, isScalar, type Pair, parseDocument, stringify } from 'yaml'
import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { evident } from '../../tool/fields.ts'
import { localizable, nothingToChange } from '../../common/localizable.ts'

const input = z.object({
  key: evident(z.string().min(1).max(200), 'At the top level; may be new.'),
  value: evident(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]), 'Without YAML quotes.'),
})

type Input = z.infer<typeof input>

/** Sets one key of the frontmatter; comments, order and notation of the others are kept. */
export const editFrontmatter = defineTool({
  name: 'edit_frontmatter',
  description: 'Sets a key of the YAML frontmatter, only when asked to.',
  input,
  changes: true,
  editorsOnly: true,
  activity: ({ key }) => activityOn('Setting', key),
  handler(given, session, call) {
    const limit = session.limits.insertCharacters
    if (JSON.stringify(given.value).length > limit) {
      const most = limit.toLocaleString('en')
      return failure('too_large', localizable`value is longer than ${most} characters.`, 'Give a shorter value.')
    }
    return session.commit(call, (view) => plan(given, view))
  },
})

function plan({ key, value }: Input, view: DocumentView): ChangePlan | ToolFailure {
  const yaml = view.frontmatter ?? ''
  const change = setKey(yaml, key, value)
  if (!change.ok) return change
  const transform = new Transform(view.doc)
  if (change.yaml === yaml) {
    const message = `Nothing to change: the frontmatter has this ${key} already.`
    return { ok: true, transform, message, summary: nothingToChange, changes: [] }
  }
  return {
    ok: true,
    transform,
    frontmatter: change.yaml,
    message: `Changed the frontmatter: ${shorten(change.after, 500)}`,
    summary: localizable`${shorten(change.after, 60)} in the frontmatter`,
    changes: [{ before: change.before, after: change.after }],
  }
}

type YamlValue = string | number | boolean | string[]

/** The YAML before and after, and the entry of the key in both; `before` is empty for a new key. */
type KeyChange = { ok: true; yaml: string; before: string; after: string }

/**
 * Sets one key at the top of the frontmatter. The rest of the source is unchanged: order, comments, quotation marks.
 * The result is parsed again, so that no value can change another key or end the frontmatter.
 */
function setKey(yaml: string, key: string, value: YamlValue): KeyChange | ToolFailure {
  const document = parse(yaml)
  if (!document) return notAMap()
  const pair = pairOf(document, key)
  const entry = stringify({ [key]: value }, { lineWidth: 0, flowCollectionPadding: false }).trimEnd()
  const range = pair && rangeOf(pair)
  const before = range ? yaml.slice(range.from, range.to) : ''
  const candidates = [range ? splice(yaml, range, entry) : append(yaml, entry), rewritten(yaml, key, value)]
  const found = candidates.find((each) => isFrontmatter(each) && isSame(each, yaml, key, value))
  if (found !== undefined) return { ok: true, yaml: found, before, after: entry }
  return failure(
    'invalid_operation',
    'The frontmatter cannot hold this key and value.',
    'It has at most 64 KiB, and no aliases to the old value; edit_document with block frontmatter changes its text.',
  )
}

function parse(yaml: string): Document | undefined {
  const document = parseDocument(yaml)
  const isEmpty = document.contents === null || (isScalar(document.contents) && document.contents.value === null)
  return document.errors.length === 0 && (isEmpty || isMap(document.contents)) ? document : undefined
}

function pairOf({ contents }: Document, key: string): Pair | undefined {
  if (!isMap(contents)) return undefined
  return contents.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key)
}

type Span = { from: number; to: number }

// From the key to the end of its value, without a comment after it.
function rangeOf({ key, value }: Pair): Span | undefined {
  const from = isScalar(key) ? key.range?.[0] : undefined
  const end: unknown = typeof value === 'object' && value !== null && 'range' in value ? value.range : undefined
  const to: unknown = Array.isArray(end) ? end[1] : undefined
  return from === undefined || typeof to !== 'number' ? undefined : { from, to }
}

// A block of lines ends with a line feed, which is kept.
function splice(yaml: string, { from, to }: Span, entry: string): string {
  const feed = yaml.slice(from, to).endsWith('\n') ? '\n' : ''
  return yaml.slice(0, from) + entry + feed + yaml.slice(to)
}

function append(yaml: string, entry: string): string {
  if (yaml.trim() === '') return entry
  return `${yaml}${yaml.endsWith('\n') ? '' : '\n'}${entry}${yaml.endsWith('\n') ? '\n' : ''}`
}

// Keeps comments and order, but uses YAML's own layout.
function rewritten(yaml: string, key: string, value: YamlValue): string {
  const document = parseDocument(yaml)
  document.set(key, value)
  return document.toString({ lineWidth: 0 }).trimEnd()
}

function isSame(yaml: string, before: string, key: string, value: YamlValue): boolean {
  const document = parse(yaml)
  if (!document) return false
  const [now, old] = [entriesOf(document), entriesOf(parseDocument(before))]
  const expected = new Map(old).set(key, JSON.stringify(value))
  return now.size === expected.size && [...now].every(([name, each]) => expected.get(name) === each)
}

function entriesOf(document: Document): Map<string, string> {
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  return new Map(Object.entries(value ?? {}).map(([name, each]) => [name, JSON.stringify(each)]))
}

function notAMap(): ToolFailure {
  return failure(
    'invalid_operation',
    'The frontmatter is no list of keys, or no valid YAML.',
    "Change its text with edit_document and block 'frontmatter'.",
  )
}
