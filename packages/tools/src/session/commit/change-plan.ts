import { differing, trackChanges } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { Transform, AttrStep, ReplaceAroundStep, ReplaceStep } from 'prosemirror-transform'
import { failure, held, success, type ToolFailure, type ToolResult, shorten } from '../../common/result.ts'
import { numberBlock } from '../numbers/block-numbers.ts'
import { blockText } from '../../document/blocks.ts'
import type { ChangeIds } from './change-ids.ts'
import { blocksInRanges, changedRanges, type Range } from '../../document/changed-ranges.ts'
import { checkChanged } from './check-changed.ts'
import type { DocumentView } from '../../document/document-view.ts'
import type { CoordinateTable } from '../numbers/coordinates.ts'
import { addSteps, documentOf } from '../../document/local-transform.ts'
import type { DocumentSessionOptions, ToolCallContext } from '../host/session-options.ts'
import { localizable, nothingToChange, type Localizable } from '../../common/localizable.ts'

/**
 * The change of a call: a transform on the document of the given view, and new frontmatter if that changes. `message`
 * reports the change to the model, `summary` to people. A plan without changes returns a result but writes no receipt.
 */
export type ChangePlan = {
  ok: true
  transform: Transform
  /** Forces a tracked change, or approval, in any mode of the session. */
  mode?: 'suggest' | 'ask'
  /** The reason why the change waits for approval, if it isn't the mode of the session. */
  reason?: Localizable
  /**
   * Ranges of the document before the plan, in order and not overlapping, each of which becomes a separate suggested
   * change; all other changes of the plan are one more. Without them the whole plan is one change.
   */
  regions?: readonly Range[]
  /** The event for integrations when the change is applied (`doc_update` of docs/protocol.md). */
  update?: DocumentUpdate
  /** The number of blocks of the rewritten part after the change, for the note that unlisted blocks are unchanged. */
  blockCount?: number
  /** Additional `details` of the result. */
  details?: Record<string, unknown>
  frontmatter?: string
  /** The new name of the document, which can't be part of a suggestion: not applied in mode `suggest`. */
  title?: string
  message: string
  summary: Localizable
  /** `pos` is the position of the change in the document after it; undefined for frontmatter. */
  changes: { before: string; after: string; pos?: number }[]
}

/** A change of a section or an image, for integrations that don't support Yjs; `content` is HTML. */
export type DocumentUpdate = {
  operation: 'replace' | 'append' | 'insert' | 'delete' | 'insert_image'
  sectionIndex: number
  title?: string
  content?: string
  imageUrl?: string
  imageDescription?: string
  position?: 'after_section' | 'before_section'
}

/** A prepared plan: a transform to write on the document of the view, or a result without writing anything. */
export type Prepared =
  | { ok: true; plan: ChangePlan; transform: Transform; changeIds: string[] }
  | { ok: false; result: ToolResult }

/** The context that a mode needs besides the plan. */
export type PlanContext = {
  call: ToolCallContext
  options: DocumentSessionOptions
  view: DocumentView
  ids: ChangeIds
  table: CoordinateTable
}

/**
 * Checks a plan and converts it according to the mode: `edit` applies it, `suggest` applies it as tracked changes,
 * `ask` holds it until the call is repeated with approval. This is the only function that handles modes.
 */
export function preparePlan(
  plan: ChangePlan | ToolFailure,
  { call, options, view, ids, table }: PlanContext,
): Prepared {
  if (!plan.ok) return { ok: false, result: plan }
  const nothing: Prepared = { ok: false, result: nothingChanged(plan) }
  const isSame = plan.transform.steps.length === 0 || plan.transform.doc.eq(view.doc)
  const isSameFrontmatter = (plan.frontmatter ?? view.frontmatter) === view.frontmatter
  if (isSame && isSameFrontmatter && plan.title === undefined) return nothing
  const isNamed = options.isNamed ?? (() => true)
  const invalid = refuseForeignImages(plan.transform, isNamed) ?? checkChanged(view.doc, plan.transform.doc)
  if (invalid) return { ok: false, result: invalid }
  const mode = plan.mode ?? options.mode
  if (mode === 'ask' && call.approved !== true) return { ok: false, result: hold(plan, view, table) }
  if (mode !== 'suggest') return { ok: true, plan, transform: plan.transform, changeIds: [] }
  if (plan.frontmatter !== undefined) return { ok: false, result: untracked() }
  const { title: _name, ...tracked } = plan
  const transform = track(view, plan.transform.doc, ids)
  if (transform.steps.length === 0) return nothing
  const refused = checkChanged(view.doc, transform.doc)
  if (refused) return { ok: false, result: refused }
  return { ok: true, plan: asSuggested(tracked), transform, changeIds: ids.used() }
}

// If only one child of the document differs, the others need no comparison.
function track(view: DocumentView, after: Node, ids: ChangeIds): Transform {
  const { first: index, oldEnd, newEnd } = differing(view.doc.children, after.children)
  const position = view.starts[index]
  if (oldEnd !== index + 1 || newEnd !== index + 1 || position === undefined) return trackChanges(view.doc, after, ids)
  const transform = new Transform(view.doc)
  const options = { ...ids, idAt: (pos: number) => ids.idAt(position + pos) }
  const local = trackChanges(documentOf(view.doc, { index }), documentOf(after, { index }), options)
  addSteps(transform, { index, position }, local)
  return transform
}

function hold(plan: ChangePlan, view: DocumentView, table: CoordinateTable): ToolFailure {
  const changes = plan.update ? [wholeChange(plan, view)] : plan.changes
  const proposal = changes.map(({ before, after, pos }) => {
    const at = pos === undefined ? undefined : plan.transform.mapping.invert().map(pos, -1)
    const block = at === undefined ? undefined : view.blockAt(at)
    const number = block ? numberBlock(block, view, table) : 0
    return { before, after, block: at === undefined ? ('frontmatter' as const) : number }
  })
  return held(asIntended(plan.summary), 'The change', proposal, plan.reason)
}

// A plan whose steps leave the document unchanged has no effect, whatever its message says.
function nothingChanged({ message, summary, details }: ChangePlan): ToolResult {
  if (message.startsWith('Nothing')) return success(message, summary, details)
  const text = 'Nothing to change: the document reads so already.'
  const said = details && 'message' in details ? { ...details, message: text } : details
  return success(text, nothingToChange, said)
}

const gerunds: Readonly<Record<string, string>> = {
  Replaced: 'replacing',
  Inserted: 'inserting',
  Formatted: 'formatting',
  Removed: 'removing',
  Deleted: 'deleting',
  Moved: 'moving',
  Added: 'adding',
  Set: 'setting',
  Made: 'making',
  Merged: 'merging',
  Split: 'splitting',
  Sorted: 'sorting',
}

// A tracked change is not applied yet: every result says that it is only suggested.
function asSuggested(plan: ChangePlan): ChangePlan {
  const { message, summary, details } = plan
  if (message.startsWith('Suggested')) return plan
  const said = suggestedMessage(message)
  return {
    ...plan,
    message: said,
    summary: summary.key.startsWith('Suggested') ? summary : localizable`Suggested: ${summary}`,
    ...(details && 'message' in details ? { details: { ...details, message: said } } : {}),
  }
}

function suggestedMessage(message: string): string {
  const [word = ''] = /^\w+/.exec(message) ?? []
  const gerund = gerunds[word]
  return gerund === undefined ? `Suggested: ${message}` : `Suggested ${gerund}${message.slice(word.length)}`
}

const intended: Readonly<Record<string, string>> = {
  Inserted: 'Insert',
  Rewrote: 'Rewrite',
  Deleted: 'Delete',
  Moved: 'Move',
  Made: 'Make',
  Merged: 'Merge',
  Sorted: 'Sort',
}

/** The summary of a change that waits for approval, as an intention. */
export function asIntended({ key, values }: Localizable): Localizable {
  return { key: key.replace(/^\w+/, (word) => intended[word] ?? word), values }
}

// For a section, people read all removed and added text, not only its heading.
function wholeChange({ transform }: ChangePlan, view: DocumentView): ChangePlan['changes'][number] {
  const ranges = changedRanges(transform)
  const before = blocksInRanges(view.blocks, ranges.before).map(({ node }) => blockText(node))
  const after: string[] = []
  for (const { from, to } of ranges.after) {
    transform.doc.nodesBetween(from, Math.min(to, transform.doc.content.size), (node) => {
      if (!node.isTextblock && !node.isLeaf) return true
      after.push(blockText(node))
      return false
    })
  }
  return { before: before.join('\n'), after: after.join('\n'), pos: ranges.after[0]?.from ?? 0 }
}

function untracked(): ToolFailure {
  return failure(
    'invalid_operation',
    "Frontmatter can't carry suggested changes.",
    "Tell the person what you would change there, or that the mode 'edit' allows it.",
  )
}

/**
 * Refuses a change that adds an image from another server which neither the document nor the caller has named. Every
 * reader's browser would fetch its address, and an address can leak text that the agent has read.
 */
function refuseForeignImages(transform: Transform, isNamed: (address: string) => boolean): ToolFailure | undefined {
  const added = imagesIn(transform)
  if (added.length === 0) return undefined
  const known = new Set<string>()
  transform.before.descendants((node) => {
    if (node.type.name === 'image') known.add(normalize(String(node.attrs.src)))
  })
  const foreign = added.find((address) => isForeign(address) && !known.has(normalize(address)) && !isNamed(address))
  if (foreign === undefined) return undefined
  return failure(
    'denied',
    localizable`The image ${shorten(foreign, 200)} comes from another server, and no person has named it.`,
    'Leave the image out, or ask the person for the address of the image that they want.',
  )
}

// Resolves an address like a browser on any server: it drops tabs and treats a backslash as a slash.
const own = 'http://own.invalid'

function isForeign(address: string): boolean {
  return !URL.canParse(address, own) || new URL(address, own).origin !== own
}

function normalize(address: string): string {
  return URL.canParse(address, own) ? new URL(address, own).href : address
}

function imagesIn({ steps }: Transform): string[] {
  const addresses: string[] = []
  for (const step of steps) {
    if (step instanceof AttrStep && step.attr === 'src') addresses.push(String(step.value))
    if (!(step instanceof ReplaceStep || step instanceof ReplaceAroundStep)) continue
    step.slice.content.descendants((node) => {
      if (node.type.name === 'image') addresses.push(String(node.attrs.src))
    })
  }
  return addresses
}
