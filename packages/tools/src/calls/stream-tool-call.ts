import { parse } from 'partial-json'
import { catalogue } from '../catalogue/index.ts'
import type { Tool } from '../tool/define-tool.ts'
import { findTool } from './execute-tool-call.ts'
import { renameArguments } from '../tool/input-names.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { ToolCallContext } from '../session/host/session-options.ts'
import { cutDraft } from './draft.ts'
import { keepRest } from './keep-rest.ts'

/** A tool call while the model writes it. */
export type StreamedCall = {
  /**
   * Shows the received part of the call; `json` is all of the arguments' text so far. Cheap if there is nothing new to
   * show.
   */
  show(json: string): void
  /** Reverts the streamed content, because the call will not be made. */
  takeBack(): void
}

const longest = 100_000

/**
 * Streams the text of a call into the document while the model is still writing it, through the tool's own handler: all
 * users see the effect of the call with the text so far. `undefined` for tools that write no text, and in mode `ask`.
 * The call itself is made afterwards by `executeToolCall` with the same `callId`, which settles the streamed content.
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
      // A plan that fails may only be incomplete; the complete call reports its own failure.
      session.live.write({ callId }, () => {
        const input = keepRest(tool.name, given, session)
        if (input) void tool.run(input, session, { callId })
      })
    },
    takeBack: () => session.live.takeBack(callId),
  }
}

function isHeld(tool: Tool, session: DocumentSession): boolean {
  return session.mode === 'ask' && !tool.name.startsWith('suggest_')
}

type Draft = { arguments: Record<string, unknown>; text: string }

/** The arguments written so far, if the streamed one is the last that has begun: all before it are complete. */
function readDraft(json: string, field: string, tool: Tool): Draft | undefined {
  const parsed = renameArguments(tool.input, parsePartially(json))
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
  const given: Record<string, unknown> = { ...parsed }
  const value = given[field]
  if (typeof value !== 'string' || Object.keys(given).at(-1) !== field) return undefined
  // The argument that says whether it is HTML comes only later.
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
