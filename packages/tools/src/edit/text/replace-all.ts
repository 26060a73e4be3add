import type { Mark, Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { failure, quoteText, shorten, type ToolFailure } from '../../common/result.ts'
import { type Block, holdsChanges } from '../../document/blocks.ts'
import type { Range } from '../../document/changed-ranges.ts'
import type { Child } from '../../document/outline.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { matchBounds, matchRange } from '../../text/find.ts'
import { removeBlock } from '../blocks/block-changes.ts'
import { changeMarkers, hasOtherMarkers, keepsPlace, type MarkedLine } from './change-markers.ts'
import type { Hit, Hits } from '../find/find-everywhere.ts'
import type { InlineText } from '../content/inline-text.ts'
import { replaceInChild } from './replace-inline.ts'
import type { Template } from '../content/replacement-template.ts'
import { counted, localizable, nothingToChange, removed, type Localizable } from '../../common/localizable.ts'

/**
 * Options for applying and reporting a replacement of all occurrences: `blockName` gives a block's number in brackets.
 */
export type ReplaceAll = {
  searchText: string
  newText: string
  template: Template
  /** The maximum total length of all new texts in characters. */
  mostCharacters: number
  /** The maximum number of blocks in the message, and of changes in the result. */
  listed: number
  blockName: (block: Block) => string
}

/**
 * Plans the replacement of every hit: changes only the differences, each hit separately, from the end of the document
 * to its start, so that positions need no mapping and replacements are never searched. A block whose whole text is
 * deleted is removed. Every changed hit becomes a separate region.
 */
export function planReplaceAll(view: DocumentView, found: Hits, all: ReplaceAll): ChangePlan | ToolFailure {
  const texts = expandAll(found, all)
  if (!Array.isArray(texts)) return texts
  const transform = new Transform(view.doc)
  const changed = replaceHits(transform, found.hits, texts)
  const blocks = countByBlock(changed.map(({ hit }) => hit.match.segment.block))
  return {
    ok: true,
    transform,
    regions: changed.map(({ region }) => region),
    ...report(changed.length, found.hits.length, blocks, all),
    details: { count: changed.length, blockCount: blocks.size },
    changes: changed.slice(0, all.listed).map(({ hit, text, region }) => {
      return { before: hit.groups.numbered[0] ?? '', after: text, pos: transform.mapping.map(region.from, -1) }
    }),
  }
}

/**
 * The hits of one of several texts to replace, and the new text of each; `line` if the text included the markers of its
 * block.
 */
export type PairHits = {
  searchText: string
  newText: string
  hits: readonly Hit[]
  texts: readonly InlineText[]
  line?: MarkedLine
}

/** The hits of one text with their new texts, for `planPairs`. */
export function expandHits(found: Hits, all: ReplaceAll): PairHits | ToolFailure {
  const texts = expandAll(found, all)
  return Array.isArray(texts) ? { searchText: all.searchText, newText: all.newText, hits: found.hits, texts } : texts
}

/**
 * Plans several replacements of the same text: all hits are searched in the text before the call. Of overlapping hits
 * the first is used, of those with the same beginning the longest.
 */
export function planPairs(
  view: DocumentView,
  pairs: readonly PairHits[],
  all: Pick<ReplaceAll, 'listed' | 'blockName'>,
): ChangePlan | ToolFailure {
  const chosen = withoutOverlap(pairs)
  const transform = new Transform(view.doc)
  const changed = replaceHits(
    transform,
    chosen.map(({ hit }) => hit),
    chosen.map(({ text }) => text),
  )
  const steps = transform.steps.length
  const { reshaped, refused } = reshape(transform, pairs, changed)
  if (refused) return keepsPlace(refused.map(all.blockName).join(', '))
  const blocks = countByBlock([...changed, ...reshaped].map(({ hit }) => hit.match.segment.block))
  const counts = pairs.map((pair) => {
    const times = [...changed, ...reshaped].filter(({ hit }) => pair.hits.includes(hit)).length
    const put = pair.newText === '' ? 'nothing' : `"${shorten(pair.newText, 80)}"`
    return `"${shorten(pair.searchText, 80)}" by ${put} (${times === 1 ? '1 place' : `${times} places`})`
  })
  const names = [...blocks.keys()].slice(0, all.listed).map(all.blockName)
  const more = blocks.size > names.length ? ` and ${blocks.size - names.length} more` : ''
  const isNothing = transform.steps.length === 0
  return {
    ok: true,
    transform,
    // A change of the list or the depth affects more than the texts.
    ...(transform.steps.length > steps ? {} : { regions: changed.map(({ region }) => region) }),
    message: isNothing
      ? 'Nothing to change: all places read so already.'
      : `Replaced ${counts.join(', ')}, in ${blocks.size === 1 ? 'block' : 'blocks'} ${names.join(', ')}${more}.`,
    summary: isNothing
      ? nothingToChange
      : localizable`${shorten(pairs.map((pair) => `${pair.searchText} → ${pair.newText}`).join(', '), 120)}`,
    details: { count: changed.length + reshaped.length, blockCount: blocks.size },
    changes: [...changed, ...reshaped].slice(0, all.listed).map(({ hit, text, region }) => {
      return { before: hit.groups.numbered[0] ?? '', after: text, pos: transform.mapping.map(region.from, -1) }
    }),
  }
}

/**
 * Changes the markers of blocks; returns the hits of which only the markers changed, or the blocks that keep their
 * place.
 */
function reshape(
  transform: Transform,
  pairs: readonly PairHits[],
  changed: readonly Changed[],
): { reshaped: Changed[]; refused?: Block[] } {
  const isNew = (pair: PairHits): boolean => changed.some(({ hit }) => pair.hits.includes(hit))
  const marked = pairs.flatMap((pair) => (pair.line ? [{ pair, line: pair.line, removes: !isNew(pair) }] : []))
  const reshaping = marked.filter(({ line, removes }) => hasOtherMarkers(line, removes))
  if (reshaping.length === 0) return { reshaped: [] }
  const steps = transform.steps.length
  const hits = reshaping.filter(({ removes }) => removes).flatMap(({ pair }) => pair.hits.slice(0, 1))
  const done = [true, false].every((removes) =>
    changeMarkers(
      transform,
      reshaping.filter((each) => each.removes === removes).map(({ line }) => line),
      removes,
    ),
  )
  if (!done || (hits.length > 0 && transform.steps.length === steps)) {
    const all = reshaping.flatMap(({ pair }) => pair.hits.map(({ match }) => match.segment.block))
    return { reshaped: [], refused: all }
  }
  return { reshaped: hits.map((hit) => ({ hit, text: hit.match.found, region: matchRange(hit.match) })) }
}

type Chosen = { hit: Hit; text: InlineText; from: number; to: number }

function withoutOverlap(pairs: readonly PairHits[]): Chosen[] {
  const all = pairs.flatMap(({ hits, texts }) =>
    hits.flatMap((hit, index) => {
      const text = texts[index]
      return text ? [{ hit, text, ...matchRange(hit.match) }] : []
    }),
  )
  const chosen: Chosen[] = []
  for (const each of all.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (each.from >= (chosen.at(-1)?.to ?? 0)) chosen.push(each)
  }
  return chosen
}

function expandAll({ hits, literal }: Hits, all: ReplaceAll): InlineText[] | ToolFailure {
  const texts: InlineText[] = []
  let length = 0
  for (const { match, groups } of hits) {
    const { node } = match.segment
    const isCode = node.type.spec.code === true
    if (!isCode && /\n[ \t]*\n/.test(all.newText)) return severalBlocks()
    const text = all.template.expand(groups, literal || isCode || isInlineCode(hits, match.segment.node, match))
    length += text.text.length
    if (length > all.mostCharacters) return tooLong(all)
    texts.push(text)
  }
  return texts
}

function severalBlocks(): ToolFailure {
  return failure(
    'invalid_operation',
    'replace holds a blank line, and replace_text keeps every text within its block.',
    'Give replace without blank lines; to add blocks use edit_document or insert_text at each place.',
  )
}

function tooLong({ mostCharacters }: ReplaceAll): ToolFailure {
  return failure(
    'too_large',
    localizable`The new texts together are longer than ${mostCharacters.toLocaleString('en')} characters.`,
    'Replace fewer places at a time with limit, or give a shorter replace.',
  )
}

// Markup in the replacement of inline code is literal, unless the query included the code's backticks.
function isInlineCode(hits: readonly Hit[], node: Node, match: Hit['match']): boolean {
  const namesCode = hits[0]?.found.marks.some((marks) => marks.some(isCodeMark)) === true
  const { from, to } = matchRange(match)
  if (namesCode || to <= from) return false
  let all = true
  const start = match.segment.start
  node.nodesBetween(from - start, to - start, (child) => {
    if (!child.marks.some(isCodeMark)) all = false
  })
  return all
}

function isCodeMark(mark: Mark): boolean {
  return mark.type.name === 'code'
}

type Changed = { hit: Hit; text: string; region: Range }

function replaceHits(transform: Transform, hits: readonly Hit[], texts: readonly InlineText[]): Changed[] {
  const { doc } = transform
  const changed: Changed[] = []
  let index = doc.childCount
  let position = doc.content.size
  for (let last = hits.length - 1; last >= 0; last--) {
    const hit = hits[last]
    const text = texts[last]
    if (!hit || !text) continue
    while (position >= hit.match.segment.start) {
      index--
      position -= doc.child(index).nodeSize
    }
    const steps = transform.steps.length
    const region = replaceHit(transform, hit, text, { index, position })
    if (transform.steps.length > steps) changed.push({ hit, text: text.text, region })
  }
  return changed.reverse()
}

function replaceHit(transform: Transform, { match, found }: Hit, text: InlineText, child: Child): Range {
  const { block, node } = match.segment
  const { from, to } = matchBounds(match)
  const isWhole = from === 0 && to === match.segment.text.length
  // A block that contains suggestions of others is kept.
  if (text.text === '' && isWhole && block.kind === 'text' && !holdsChanges(node)) {
    removeBlock(transform, block)
    return { from: block.pos, to: block.pos + node.nodeSize }
  }
  replaceInChild(transform, child, match, found, text)
  return matchRange(match)
}

function countByBlock(blocks: readonly Block[]): Map<Block, number> {
  const counts = new Map<Block, number>()
  for (const block of blocks) counts.set(block, (counts.get(block) ?? 0) + 1)
  return counts
}

function report(
  count: number,
  total: number,
  blocks: ReadonlyMap<Block, number>,
  { searchText, newText, listed, blockName }: ReplaceAll,
): { message: string; summary: Localizable } {
  if (count === 0) {
    const places = total === 1 ? 'The one place reads' : `All ${total} places read`
    return { message: `Nothing to change: ${places} so already.`, summary: nothingToChange }
  }
  const times = count === 1 ? '1 place' : `${count} places`
  const names = [...blocks].slice(0, listed).map(([block, each]) => {
    return each === 1 ? blockName(block) : `${blockName(block)} (${each} times)`
  })
  const more = blocks.size > names.length ? ` and ${blocks.size - names.length} more blocks` : ''
  const where = `${blocks.size === 1 ? 'block' : 'blocks'} ${names.join(', ')}${more}`
  const same = total > count ? ` ${total - count} more read so already.` : ''
  const put = newText === '' ? 'nothing' : `"${quoteText(newText)}"`
  return {
    message: `Replaced "${quoteText(searchText)}" by ${put} in ${times}, in ${where}.${same}`,
    summary: localizable`${shorten(searchText, 60)} → ${shorten(newText, 60) || removed}, ${counted(count, 'place')}`,
  }
}
