import { localizable } from '../../common/localizable.ts'
import type { Node } from 'prosemirror-model'
import { renderBlock } from '../../render/render-block.ts'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import { type Block, blockText } from '../../document/blocks.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { holdsRequest } from '../../text/segments.ts'
import type { Occurrence } from './locate.ts'
import { isDelimiter } from '../tables/table-rows.ts'

/**
 * A text found in the markdown of reads: consecutive blocks, the lines that reads show for them, and the start and end
 * of the text in these lines.
 */
export type FoundShown = { ok: true; blocks: readonly Block[]; shown: string; from: number; to: number }

type Place = Omit<FoundShown, 'ok'>

const most = 1_000

/**
 * Finds a text as it appears in reads, with the markdown of its blocks: a table row or a part of it, a code block with
 * its fences, a list marker, a link's address, an image, a formula, a rule. `undefined` if no block shows it.
 */
export function findShown(
  text: string,
  { block, occurrence }: { block?: Block | undefined; occurrence?: Occurrence | undefined },
  session: DocumentSession,
  view: DocumentView,
): FoundShown | ToolFailure | undefined {
  const wanted = asRows(text.replace(/^\s*\[\d+\]\s+/gm, '').trim())
  if (wanted === '') return undefined
  const places = placesOf(wanted, block ? [block] : searchedBlocks(view), view, block !== undefined)
  const [first] = places
  if (!first) return undefined
  if (places.length === 1 && (occurrence === undefined || typeof occurrence === 'string' || occurrence === 1)) {
    return { ok: true, ...first }
  }
  const chosen = pick(places, occurrence)
  return chosen ? { ok: true, ...chosen } : severalPlaces(wanted, places, occurrence, session)
}

// Rows with the spaces that reads insert next to the bars, without the delimiter line below the head.
function asRows(text: string): string {
  if (!/^\|.*\|/.test(text)) return text
  const lines = text.split('\n').filter((line, index) => index === 0 || !isDelimiter(line))
  return lines
    .map((line) => line.replace(/[ \t]*(?<!\\)\|[ \t]*/g, ' | ').replace(/\|  (?=\|)/g, '| '))
    .map((line) => line.trim())
    .join('\n')
}

/** The whole text that a read shows for a block, as the text to edit. */
export function wholeShown(block: Block, view: DocumentView): FoundShown {
  const shown = renderBlock(view.doc, block)
  return { ok: true, blocks: [block], shown, from: 0, to: shown.length }
}

/**
 * The block whose whole line in reads is this text: a table row, a code block, an image, a formula, a rule. A part of
 * an image or a formula also identifies it.
 */
export function findShownBlock(
  text: string,
  options: { block?: Block | undefined; occurrence?: Occurrence | undefined },
  session: DocumentSession,
  view: DocumentView,
): Block | undefined {
  const found = findShown(text, options, session, view)
  if (!found?.ok || found.blocks.length !== 1) return undefined
  const [only] = found.blocks
  const isWhole = found.from === 0 && found.to === found.shown.length
  return isWhole || only?.kind === 'leaf' ? only : undefined
}

// A table row is searched as a whole, even if one of its cells contains the request.
function searchedBlocks(view: DocumentView): readonly Block[] {
  return view.blocks.filter(({ kind, node }) => kind !== 'text' || !holdsRequest(node, view))
}

function pick(places: readonly Place[], occurrence: Occurrence | undefined): Place | undefined {
  if (occurrence === undefined) return undefined
  if (occurrence === 'first') return places[0]
  return occurrence === 'last' ? places.at(-1) : places[occurrence - 1]
}

function severalPlaces(
  wanted: string,
  places: readonly Place[],
  occurrence: Occurrence | undefined,
  session: DocumentSession,
): ToolFailure {
  const count = places.length
  const shown = [...new Set(places.map(({ blocks }) => blocks[0]))].slice(0, session.limits.searchMatches)
  const names = shown.flatMap((each) => (each ? [`[${session.show(each)}]`] : [])).join(', ')
  const code = occurrence === undefined ? 'ambiguous' : 'out_of_range'
  return failure(
    code,
    localizable`"${shorten(wanted, 80)}" occurs ${count === 1 ? 'once' : `${count} times`}, in ${names}.`,
    localizable`Name one with occurrence (1 to ${count}, 'first' or 'last') or with its block.`,
  )
}

function placesOf(wanted: string, blocks: readonly Block[], view: DocumentView, isNamed: boolean): Place[] {
  const places: Place[] = []
  const lines = wanted.split('\n')
  const isLong = lines.length > 1
  for (const [index, block] of blocks.entries()) {
    if (places.length >= most || !(isNamed || mayShow(wanted, block))) continue
    const shown = renderBlock(view.doc, block)
    const rule = block.node.type.name === 'horizontalRule' && /^([-*_])\1{2,}$/.test(wanted)
    if (rule) places.push({ blocks: [block], shown, from: 0, to: shown.length })
    for (let at = rule ? -1 : shown.indexOf(wanted); at >= 0; at = shown.indexOf(wanted, at + wanted.length)) {
      places.push({ blocks: [block], shown, from: at, to: at + wanted.length })
    }
    if (isLong && !shown.includes('\n'))
      places.push(...placeOver(lines, blocks.slice(index, index + lines.length), view))
  }
  return places
}

// The text begins in the first of these blocks and continues in others, each of one line.
function placeOver(wanted: readonly string[], blocks: readonly Block[], view: DocumentView): Place[] {
  const lines = wanted.filter((line) => line.trim() !== '')
  const over = blocks.slice(0, lines.length)
  if (lines.length < 2 || over.length < lines.length) return []
  const shown = over.map((block) => renderBlock(view.doc, block))
  const text = shown.join('\n')
  const from = (shown[0]?.length ?? 0) - (lines[0]?.length ?? 0)
  const sought = lines.join('\n')
  if (shown.some((line) => line.includes('\n')) || from < 0 || !text.startsWith(sought, from)) return []
  return [{ blocks: over, shown: text, from, to: from + sought.length }]
}

// A cheap test that excludes most blocks before their serialization as markdown.
function mayShow(wanted: string, { kind, node }: Block): boolean {
  if (kind === 'leaf') return true
  if (kind === 'row') return wanted.includes('|')
  if (node.type.spec.code === true) return /```|~~~/.test(wanted)
  const word = longestWord(wanted.split('\n', 1)[0] ?? '')
  return word !== '' && (blockText(node).includes(word) || hasAddress(node, word))
}

function longestWord(text: string): string {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).reduce((best, word) => (word.length > best.length ? word : best), '')
}

function hasAddress(node: Node, word: string): boolean {
  return node.children.some(({ attrs, marks }) => {
    const values = [...Object.values(attrs), ...marks.flatMap((mark) => Object.values(mark.attrs))]
    return values.some((value) => typeof value === 'string' && value.includes(word))
  })
}
