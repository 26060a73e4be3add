import { createSystemPrompt } from './prompt.ts'
import { Selection } from '@copydesk/protocol'
import {
  catalogue,
  documentInfo,
  type DocumentSession,
  type DocumentSessionOptions,
  summarizeOutline,
  type Tool,
} from '@copydesk/tools'
import { decodeSelection } from '../../common/relative-position.ts'
import type { RunRow } from '../../store/tables.ts'
import type { Peer } from './peer.ts'

/** The system prompt of a run: the document, who is in it, and the tools that its caller may not use. */
export function systemPrompt(run: RunRow, tools: readonly Tool[], session: DocumentSession, peer: Peer): string {
  const described = documentInfo(session)
  const info = described.ok ? described.info : undefined
  const outline = summarizeOutline(session)
  const present = peer.present().filter(({ id, kind }) => kind === 'person' && id !== run.invoked_by)
  return createSystemPrompt({
    title: info?.title ?? session.title(),
    caller: run.invoked_by_name,
    present: [...new Set(present.map(({ name }) => name))],
    mode: session.mode,
    outline: outline.ok ? outline.headings : [],
    frontmatterKeys: info?.frontmatterKeys ?? [],
    missingTools: catalogue
      .filter((tool) => !tools.includes(tool))
      .map(({ name }) => ({
        name,
        reason: 'the person who called you may only comment on this document and suggest changes',
      })),
    ...(info?.selection ? { selection: info.selection } : {}),
    ...(info ? { size: { blocks: info.blocks, words: info.words } } : {}),
  })
}

/** Who is in the document, what the caller has selected, and who else is typing, all as of now. */
export function presenceFor(run: RunRow, peer: Peer): Pick<DocumentSessionOptions, 'people' | 'selection' | 'typing'> {
  return {
    people: () => peer.present(),
    selection: selectionFor(run, peer),
    typing: () => peer.typing(run.invoked_by),
  }
}

/**
 * What "this" refers to: for a comment, the text of its thread, wherever the caret is now; otherwise the current
 * selection.
 */
function selectionFor(run: RunRow, peer: Peer): () => ReturnType<typeof decodeSelection> {
  const stored = storedSelection(run)
  if (run.trigger_kind === 'comment' && stored) return () => stored
  return () => peer.selectionOf(run.invoked_by) ?? stored
}

function storedSelection(run: RunRow): ReturnType<typeof decodeSelection> {
  if (run.selection === null) return undefined
  const parsed = Selection.safeParse(JSON.parse(run.selection))
  return parsed.success ? decodeSelection(parsed.data) : undefined
}
