import { Selection } from '@copydesk/protocol'
import {
  catalogue,
  documentInfo,
  type DocumentSession,
  type DocumentView,
  excerptDocument,
  type DocumentSessionOptions,
  summarizeOutline,
  type Need,
  type Tool,
  variablesFor,
} from '@copydesk/tools'
import { toList } from '../../../agents/agent-rows.ts'
import type { RunSettings } from '../../../agent-settings/agent-settings.ts'
import { decodeSelection } from '../../../common/relative-position.ts'
import type { AgentRow, RunRow } from '../../../store/tables.ts'
import type { Peer } from '../peer.ts'
import { type CalledFrom, createSystemPrompt, type MissingTool } from './prompt.ts'

const callKinds: Readonly<Record<string, CalledFrom['kind'] | undefined>> = { mention: 'mention', comment: 'comment' }

/**
 * The system prompt of a run: the document, its present users, the place of the call, and the tools that its caller may
 * not use. `hasProject`: whether the server has a project, even if the caller may not read it. `switchedOff`: tools
 * that an operator has switched off, or whose tool servers are unavailable.
 */
export function systemPrompt(
  run: RunRow,
  agent: AgentRow | undefined,
  tools: readonly Tool[],
  session: DocumentSession,
  peer: Peer,
  hasProject: boolean,
  { instructions, files, language }: RunSettings,
  switchedOff: readonly MissingTool[],
): string {
  const described = documentInfo(session)
  const info = described.ok ? described.info : undefined
  const place = findPlace(run, session)
  const excerpt = excerptDocument(session, place)
  const outline = summarizeOutline(session)
  const block = place && session.show(place)
  const kind = callKinds[run.trigger_kind]
  const present = peer.present().filter((peer) => peer.kind === 'person' && peer.id !== run.invoked_by)
  return createSystemPrompt({
    title: info?.title ?? session.title(),
    caller: run.invoked_by_name,
    ...(agent ? { agent } : {}),
    present: [...new Set(present.map(({ name }) => name))],
    mode: session.mode,
    outline: outline.ok ? outline.headings : [],
    frontmatterKeys: info?.frontmatterKeys ?? [],
    missingTools: [
      ...missingTools(tools, agent, session, hasProject).filter(
        ({ name }) => !switchedOff.some((each) => each.name === name),
      ),
      ...switchedOff,
    ],
    readsWeb: tools.some(({ needs }) => needs === 'web'),
    hasProject: session.host?.project !== undefined,
    instructions,
    favouriteFiles: files,
    language,
    writesFiles: tools.some(({ needs }) => needs === 'project-writing'),
    ...(kind ? { calledFrom: { kind, block } } : {}),
    ...(info?.selection ? { selection: info.selection } : {}),
    review: { threads: session.host?.threads().length ?? 0, hasChanges: session.hasChanges() },
    ...(excerpt.ok ? { excerpt: excerpt.excerpt } : {}),
    ...(info ? { size: { blocks: info.blocks, words: info.words } } : {}),
  })
}

function missingTools(
  tools: readonly Tool[],
  agent: AgentRow | undefined,
  session: DocumentSession,
  hasProject: boolean,
): MissingTool[] {
  const chosen = toList(agent?.tools ?? null)
  return catalogue.flatMap((tool) => {
    if (chosen?.includes(tool.name) === false) return []
    const why = findMissingReason(tool, tools, session, hasProject)
    return why ? [{ name: tool.name, ...why }] : []
  })
}

function findMissingReason(
  tool: Tool,
  tools: readonly Tool[],
  { host }: DocumentSession,
  hasProject: boolean,
): Omit<MissingTool, 'name'> | undefined {
  const isUnset: Partial<Record<Need, boolean>> = {
    project: !hasProject,
    'project-writing': !hasProject,
    'web-search': !host?.web?.search,
    'image-search': !host?.web?.searchImages,
  }
  if (tool.needs && isUnset[tool.needs] === true) return { variable: variablesFor[tool.needs] }
  if (tools.includes(tool)) return undefined
  if (tool.needs === 'project-writing' && host?.project && !host.project.writing) {
    return { reason: 'the server may only read the project’s folder' }
  }
  if (tool.needs?.startsWith('project') && !host?.project) return { reason: 'guests may not read the project’s files' }
  return { reason: 'the person who called you may only comment on this document and suggest changes' }
}

/** The block of the mention, else the block of the selection or the caret. */
function findPlace(run: RunRow, session: DocumentSession): ReturnType<DocumentView['blockAt']> {
  const read = session.view()
  if (!read.ok) return undefined
  const { view } = read
  if (run.trigger_kind === 'mention') {
    let pos: number | undefined
    view.doc.descendants((node, at) => {
      if (node.type.name === 'mention' && node.attrs.requestId === run.trigger_id) pos = at
      return pos === undefined
    })
    return pos === undefined ? undefined : view.blockAt(pos)
  }
  const selection = session.selection()
  return selection && view.blockAt(selection.from)
}

/** The users in the document, the caller's selection, who else is typing, and the authors, as of now. */
export function presenceFor(
  run: RunRow,
  peer: Peer,
): Pick<DocumentSessionOptions, 'people' | 'selection' | 'typing' | 'authorOf'> {
  return {
    people: () => peer.present(),
    authorOf: (client) => peer.nameOf(client),
    selection: selectionFor(run, peer),
    typing: () => peer.typing(run.invoked_by),
  }
}

/**
 * The text to which "this" refers: for a comment, the text of its thread, independently of the caret; otherwise the
 * current selection.
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
