import { Transform } from 'prosemirror-transform'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import { blockText } from '../../document/blocks.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { type BlockChange, formatBlocks, type Refusal } from './format-blocks.ts'
import { formatRanges, type InlineChange, type InlineFormat } from './format-inline.ts'
import type { FoundTarget } from './format-target.ts'
import { counted, inEnglish, localizable, nothingToChange, type Localizable } from '../../common/localizable.ts'

/** Plans a text format; `listed` is the maximum number of changes in the result. */
export function planInline(
  view: DocumentView,
  target: FoundTarget,
  change: InlineChange,
  listed: number,
): ChangePlan | ToolFailure {
  const transform = new Transform(view.doc)
  const outcomes = formatRanges(transform, target.ranges, change)
  if (!outcomes.some((outcome) => outcome === 'changed' || outcome === 'same')) return noText(outcomes, target)
  const regions = target.ranges.filter((_range, index) => outcomes[index] === 'changed')
  const skipped = outcomes.filter((outcome) => outcome === 'code').length
  const format = inlineName(change)
  const name = inEnglish(format)
  if (regions.length === 0) return nothing(transform, `${already(target)} (${name}).`)
  const left = skipped > 0 ? ` ${count(skipped, 'place')} in code blocks can't be formatted and stayed.` : ''
  const changes = regions.slice(0, listed).map(({ from, to }) => {
    const text = shorten(view.doc.textBetween(from, to, '\n', ' '), 500)
    return { before: text, after: `${text} (${name})`, pos: from }
  })
  return {
    ok: true,
    transform,
    ...(target.isText ? { regions } : {}),
    message: `Formatted ${target.name}: ${name}.${sameNote(target.ranges.length - skipped - regions.length, 'place')}${left}`,
    summary: localizable`${regions.length === 1 ? shorten(changes[0]?.before ?? '', 60) : counted(regions.length, 'place')}: ${format}`,
    details: { count: regions.length },
    changes,
  }
}

function noText(outcomes: readonly string[], target: FoundTarget): ToolFailure {
  const isCode = outcomes.includes('code')
  return failure(
    'invalid_operation',
    isCode
      ? localizable`${capitalize(target.name)} is in a code block, where text has no formatting.`
      : localizable`${capitalize(target.name)} has no text to format.`,
    isCode
      ? 'Make the code block a paragraph first (format paragraph), or leave it as it is.'
      : 'Name text, or a block that has text.',
  )
}

/** Plans a block format; `listed` is the maximum number of changes in the result. */
export function planBlocks(
  view: DocumentView,
  target: FoundTarget,
  change: BlockChange,
  options: { listed: number; blockName: (block: Refusal['block']) => string },
): ChangePlan | ToolFailure {
  const transform = new Transform(view.doc)
  const refused = formatBlocks(transform, target.blocks, change)
  const format = blockName(change)
  const name = inEnglish(format)
  const [first] = refused
  if (first && refused.length === target.blocks.length) {
    const more = refused.length > 1 ? `, like ${refused.length - 1} more,` : ''
    const message = `Block ${options.blockName(first.block)}${more} can't become ${name}: it ${first.message}`
    return failure('invalid_operation', message, first.hint)
  }
  const left = first
    ? ` ${count(refused.length, 'block')} can't be that and stayed: block ${options.blockName(first.block)} ${first.message}`
    : ''
  if (transform.steps.length === 0) return nothing(transform, `${already(target)} (${name}).${left}`)
  const unable = new Set(refused.map(({ block }) => block))
  const changed = target.blocks.filter((block) => !unable.has(block))
  return {
    ok: true,
    transform,
    message: `Formatted ${target.name}: ${name}.${changed.length > 1 ? ` ${count(changed.length, 'block')}.` : ''}${left}`,
    summary: localizable`${changed.length === 1 && changed[0] ? shorten(blockText(changed[0].node), 60) : counted(changed.length, 'block')}: ${format}`,
    details: { count: changed.length },
    changes: changed.slice(0, options.listed).map(({ node, pos }) => {
      const text = shorten(blockText(node), 500)
      return { before: text, after: `${text} (${name})`, pos: transform.mapping.map(pos, 1) }
    }),
  }
}

function nothing(transform: Transform, why: string): ChangePlan {
  return { ok: true, transform, message: `Nothing to change: ${why}`, summary: nothingToChange, changes: [] }
}

function already({ name, blocks }: FoundTarget): string {
  return `${name} ${name.startsWith('blocks') && blocks.length > 1 ? 'are' : 'is'} so already`
}

function sameNote(same: number, noun: string): string {
  return same > 0 ? ` ${count(same, noun)} had it already.` : ''
}

function inlineName({ type, href, remove }: InlineChange): Localizable {
  if (remove) return localizable`no ${inlineNames[type]}`
  return href === undefined ? inlineNames[type] : localizable`link to ${shorten(href, 200)}`
}

const inlineNames: Readonly<Record<InlineFormat, Localizable>> = {
  bold: localizable`bold`,
  italic: localizable`italic`,
  strike: localizable`strike`,
  code: localizable`code`,
  underline: localizable`underline`,
  highlight: localizable`highlight`,
  link: localizable`link`,
}

const blockNames = {
  heading: localizable`a heading`,
  paragraph: localizable`a paragraph`,
  bulletList: localizable`a bullet list`,
  orderedList: localizable`a numbered list`,
  taskList: localizable`a task list`,
  blockquote: localizable`a quote`,
  codeBlock: localizable`a code block`,
} as const

function blockName({ type, level, remove, language, checked }: BlockChange): Localizable {
  if (remove) return localizable`not ${blockNames[type]}`
  if (type === 'codeBlock' && language !== undefined)
    return localizable`a code block in ${shorten(language, 60) || localizable`no language`}`
  if (type === 'taskList' && checked !== undefined)
    return checked ? localizable`a task list, ticked` : localizable`a task list, not ticked`
  return type === 'heading' ? localizable`a heading of level ${level ?? 1}` : blockNames[type]
}

function count(number: number, noun: string): string {
  return inEnglish(counted(number, noun))
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
