import { longestTitle } from '@copydesk/schema'
import * as Y from 'yjs'
import { readTitle } from '../../collaboration/hooks.ts'

/**
 * The heading with which a text begins, as a title: without suggested text, with single spaces. Undefined if the text
 * begins with another block.
 */
export function titleHeading(fragment: Y.XmlFragment): string | undefined {
  const first: unknown = fragment.get(0)
  if (!(first instanceof Y.XmlElement) || first.nodeName !== 'heading') return undefined
  const { level, suggestion } = first.getAttributes() as Record<string, unknown>
  if (level !== 1 || suggestion != null) return undefined
  const text = first.toArray().map((part) => (part instanceof Y.XmlText ? readText(part) : ''))
  return asTitle(text.join(''))
}

function readText(text: Y.XmlText): string {
  const parts = text.toDelta() as readonly { insert: unknown; attributes?: Record<string, unknown> }[]
  const isShown = (attributes: object = {}) => !Object.keys(attributes).some((name) => /^insertion(--|$)/.test(name))
  return parts
    .map(({ insert, attributes }) => (typeof insert === 'string' && isShown(attributes) ? insert : ''))
    .join('')
}

function asTitle(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, longestTitle).trim()
}

/** Whether the text begins with its title as a heading, which is then the title's only line on the page. */
export function beginsWithTitle(fragment: Y.XmlFragment, meta: Y.Map<unknown>): boolean {
  const title = asTitle(readTitle(meta))
  return title !== '' && titleHeading(fragment) === title
}

type Opened = { fragment: Y.XmlFragment; meta: Y.Map<unknown>; onBegins: () => void }

const opensWithinMs = 2000

/**
 * Reports when a text that is still arriving begins with its title: a document that others have open arrives in parts.
 * Text that is typed here or arrives later never becomes the title. Returns a function that stops it, and may be called
 * twice.
 */
export function watchOpening({ fragment, meta, onBegins }: Opened): () => void {
  const look = (_events: unknown, { local }: Y.Transaction) => {
    if (local) stop()
    else if (beginsWithTitle(fragment, meta)) onBegins()
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    // Yjs logs an error for a listener that is removed twice.
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    fragment.unobserveDeep(look)
    meta.unobserve(look)
  }
  timer = setTimeout(stop, opensWithinMs)
  fragment.observeDeep(look)
  meta.observe(look)
  return stop
}

// The user who types in the heading writes the title at the next pause. Other clients wait longer, and write the title
// if no other client has: a run, a decision or a restore changes only the heading.
const pauseMs = { own: 250, others: 1000 }

type Followed = { fragment: Y.XmlFragment; meta: Y.Map<unknown>; mayWrite: () => boolean; onParted: () => void }

/**
 * Keeps the title equal to the heading with which the text begins, while both are equal. They are separated when the
 * text begins with another block, and when the title is changed elsewhere. An empty heading doesn't change the title.
 * Returns a function that stops it and writes a title that is waiting for a pause.
 */
export function followHeading({ fragment, meta, mayWrite, onParted }: Followed): () => void {
  let title = readTitle(meta)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOwn = false
  const settle = () => {
    timer = undefined
    const heading = titleHeading(fragment)
    const isRenamed = readTitle(meta) !== title
    if (heading === '' && !isRenamed) return
    if (heading === undefined || isRenamed || !mayWrite()) onParted()
    else meta.set('title', heading)
  }
  const look = (_events: unknown, { local }: Y.Transaction) => {
    isOwn = local || (isOwn && timer !== undefined)
    clearTimeout(timer)
    timer = undefined
    if (beginsWithTitle(fragment, meta)) title = readTitle(meta)
    else timer = setTimeout(settle, isOwn ? pauseMs.own : pauseMs.others)
  }
  fragment.observeDeep(look)
  meta.observe(look)
  return () => {
    fragment.unobserveDeep(look)
    meta.unobserve(look)
    clearTimeout(timer)
    if (timer !== undefined && isOwn) settle()
  }
}
