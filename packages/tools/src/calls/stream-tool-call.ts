import { parseMarkdownFragment, serializeBlock } from '@copydesk/schema/markdown'
import { parse } from 'partial-json'
import { catalogue } from '../catalogue/index.ts'
import { listSections } from '../document/sections.ts'
import type { Tool } from '../tool/define-tool.ts'
import { findTool } from './execute-tool-call.ts'
import { renameArguments } from '../tool/input-names.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { ToolCallContext } from '../session/host/session-options.ts'
import { cutDraft } from './draft.ts'

/** A tool call while the model writes it. */
export type StreamedCall = {
  /**
   * Shows the received part of the call; `json` is the whole text of the arguments so far. Cheap if the call has no new
   * content.
   */
  show(json: string): void
  /** Reverts the streamed content, because the call will not be made. */
  revert(): void
}

const longest = 100_000

/**
 * Streams the text of a call into the document while the model is still writing it, through the tool's own handler: all
 * users see the effect of the text so far. `undefined` for tools that write no text, and in mode `ask`. The call itself
 * is made afterwards by `executeToolCall` with the same `callId`, which settles the streamed content.
 */
export function streamToolCall(
  name: string,
  session: DocumentSession,
  call: ToolCallContext & { tools?: readonly Tool[] },
): StreamedCall | undefined {
  const tool = findTool(name, call.tools ?? catalogue)
  const field = tool?.streams
  if (!tool || field === undefined || !session.canEdit || isHeld(tool, session)) return undefined
  const { callId } = call
  let shown = ''
  return {
    show(json) {
      // Very long texts aren't streamed: parsing them again at each tick would delay other runs.
      if (json.length > longest) return
      const draft = readDraft(json, field, tool)
      if (!draft || draft.text === shown) return
      shown = draft.text
      const given = { ...draft.arguments, [field]: draft.text }
      // A failed plan may only be incomplete; the complete call reports its own failure.
      session.live.write({ callId }, () => {
        const input = withOldRest(tool.name, given, session)
        if (input) void tool.run(input, session, { callId })
      })
    },
    revert: () => session.live.revert(callId),
  }
}

function isHeld(tool: Tool, session: DocumentSession): boolean {
  return session.mode === 'ask' && !tool.name.startsWith('suggest_')
}

type Draft = { arguments: Record<string, unknown>; text: string }

/** The arguments so far, if the streamed argument is the last that has begun: all earlier ones are complete. */
function readDraft(json: string, field: string, tool: Tool): Draft | undefined {
  const parsed = renameArguments(tool.input, parsePartially(json))
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
  const given: Record<string, unknown> = { ...parsed }
  const value = given[field]
  if (typeof value !== 'string' || Object.keys(given).at(-1) !== field) return undefined
  // The argument that marks the text as HTML comes later.
  if (/^\s*<[a-z!]/i.test(value)) return undefined
  const text = cutDraft(value.toWellFormed())
  return text.trim() === '' ? undefined : { arguments: given, text }
}

function parsePartially(json: string): unknown {
  try {
    return parse(json)
  } catch {
    return undefined
  }
}

/**
 * The arguments that show a call while its new text is being written. If the text replaces another, the rest of the old
 * text follows the new one, so that the old text is replaced word by word and common text is never changed. `undefined`
 * if the rest can't be determined.
 */
function withOldRest(tool: string, input: Record<string, unknown>, session: DocumentSession) {
  switch (tool) {
    case 'edit_document':
      return { ...input, replace: withRest(textOf(input['find']), textOf(input['replace'])) }
    case 'suggest_replacement':
      if (typeof input['find'] !== 'string') return undefined
      return { ...input, replace: withRest(input['find'], textOf(input['replace'])) }
    case 'update_section':
      return input['operation'] === 'replace' ? withOldBlocks(input, session) : input
    default:
      return input
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const word = /[\p{L}\p{N}]+/gu

/** The new text so far, followed by the part of the old text after the last word that both contain. */
function withRest(old: string, now: string): string {
  if (old === '' || now.includes('\n')) return now
  const words = [...old.matchAll(word)]
  let reached = 0
  let index = 0
  for (const [text] of now.matchAll(word)) {
    const found = words.findIndex((each, at) => at >= index && each[0] === text)
    if (found < 0) continue
    index = found + 1
    reached = (words[found]?.index ?? 0) + text.length
  }
  return now.trimEnd() + (reached === 0 && !/^\s/.test(old) ? ' ' : '') + old.slice(reached)
}

function withOldBlocks(input: Record<string, unknown>, session: DocumentSession): Record<string, unknown> | undefined {
  const read = session.view()
  const resolved = read.ok ? session.resolveSection(Number(input['section'] ?? 0), read.view) : read
  const section = read.ok && resolved.ok ? listSections(read.view)[resolved.index] : undefined
  if (!section) return undefined
  const now = textOf(input['content'])
  const written = parseMarkdownFragment(now).childCount
  const rest = section.nodes.slice(written).map(({ node }) => serializeBlock(node, { changes: 'accepted' }))
  return { ...input, content: [now, ...rest].join('\n\n') }
}
