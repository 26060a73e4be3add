import { readChanges, type SuggestedChange } from '@copydesk/schema'
import {
  catalogue,
  executeToolCall,
  failure,
  getSystemContext,
  type HostAuthor,
  type HostThread,
  type SessionMode,
  type Tool,
  type ToolCallContext,
  type ToolResult,
  type ToolFailure,
} from '@copydesk/tools'
import type { JSONContent } from '@tiptap/core'
import type { EditorState } from 'prosemirror-state'
import * as Y from 'yjs'
import { type BridgedEditor, type BridgeSession, openBridgeSession } from './bridge-session.ts'
import { createMirror, type Mirror } from './mirror.ts'

export type EditorBridgeOptions = {
  /** `edit` by default; `suggest` needs `reviewExtensions` of `@copydesk/schema` in the editor. */
  mode?: SessionMode
  /** Whether the editor's undo also reverts the agent's changes; by default it reverts only the person's. */
  addToHistory?: boolean
  /** The store of comments and of authors of suggestions, by default in memory only. Its owner persists it. */
  room?: Y.Doc
}

/** A suggested change with its author, if known. */
export type BridgeChange = SuggestedChange & { author: HostAuthor | undefined }

export type HighlightHandle = { result: ToolResult; remove(): void }

/**
 * The functions of an agent, or of a program in its name, in an editor. Functions that change or show content return
 * results like the tools: an expected failure is a value with a hint.
 */
export type EditorBridge = {
  readonly author: HostAuthor
  /** The tools that can work in this editor. */
  readonly tools: readonly Tool[]
  /** Executes a model's tool call; errors of a model are results, not exceptions. */
  executeToolCall(name: string, input: unknown, call?: Partial<ToolCallContext>): Promise<ToolResult>
  /** The document in plain text for a system prompt: data, not instructions. */
  getSystemContext(): string
  /** The text, with an empty line between blocks. */
  getContentAsText(): string
  /** The document as TipTap's JSON. */
  getContent(): JSONContent
  getComments(): HostThread[]
  getChanges(): BridgeChange[]
  /** The person's selection and the text around it; null if the selection is empty. */
  getSelectionContext(): SelectionContext | null
  /** Starts a comment thread. */
  addComment(target: Target, text: string): Promise<ToolResult>
  replyTo(thread: string, text: string): Promise<ToolResult>
  resolveComment(thread: string): Promise<ToolResult>
  /** Replaces a text; in mode `suggest` as a suggestion. */
  replace(target: Target & { find: string }, replacement: string): Promise<ToolResult>
  /** Suggests Markdown before or after a text or block; after it by default. */
  proposeInsertion(target: Target, text: string, position?: 'before' | 'after'): Promise<ToolResult>
  proposeDeletion(target: Target): Promise<ToolResult>
  /** Shows a range, for `duration` milliseconds if given. */
  highlight(target: Target, options?: { color?: string; duration?: number }): Promise<HighlightHandle>
  scrollTo(target: Target, options?: { select?: boolean }): Promise<ToolResult>
  /** Stops observing the editor. May be called twice; called when the editor is destroyed. */
  close(): void
}

const agent: HostAuthor = { id: 'agent', name: 'Agent', kind: 'agent' }

/**
 * Opens a bridge over a TipTap editor, with Yjs only inside: the tools work on a private Y.Doc that is synchronized
 * with the editor, whose cursor and undo history remain the person's. `author` is the author of comments and
 * suggestions.
 * @throws if the document has a node that the tools don't know, or mode `suggest` can't work in this editor.
 */
export function createEditorBridge(
  editor: BridgedEditor,
  author: HostAuthor = agent,
  options: EditorBridgeOptions = {},
): EditorBridge {
  const { mode = 'edit', addToHistory = false, room = new Y.Doc() } = options
  const mirror = createMirror(editor, { addToHistory })
  if (mode === 'suggest' && !mirror.canSuggest) {
    mirror.close()
    throw new Error('mode suggest needs reviewExtensions of @copydesk/schema among the extensions of the editor')
  }
  const opened = openBridgeSession({ editor, mirror, author, mode: () => mode, room })
  const tools = toolsFor(mirror)
  const close = (): void => {
    editor.off('destroy', close)
    opened.close()
    mirror.close()
  }
  editor.on('destroy', close)
  const execute = createExecutor(mirror, opened, tools)
  return {
    author,
    tools,
    executeToolCall: execute,
    getSystemContext: () => getSystemContext(opened.session),
    ...readingOf(editor, opened),
    ...actionsOf(execute, opened),
    close,
  }
}

// An editor has no title or frontmatter apart from its text, and without a server there are no store for images or runs
// and no search services.
const serverTools = new Set([
  'insert_image',
  'set_title',
  'edit_frontmatter',
  'read_history',
  'undo_changes',
  'search_web',
  'read_web_page',
  'search_image',
])

function toolsFor({ canSuggest }: Mirror): Tool[] {
  return catalogue.filter(
    ({ name, needs }) =>
      !needs?.startsWith('project') && !serverTools.has(name) && (canSuggest || !name.startsWith('suggest_')),
  )
}

type Execute = EditorBridge['executeToolCall']

function createExecutor(mirror: Mirror, { session }: BridgeSession, tools: readonly Tool[]): Execute {
  return async (name, input, call = {}) => {
    const problem = mirror.problem()
    if (problem !== undefined) {
      return failure('unavailable', problem, 'Trying again does not help until the person has removed it.')
    }
    const result = await executeToolCall(name, input, session, { ...call, tools })
    const refusal = mirror.consumeRefusal()
    if (refusal === undefined) return result
    return failure('invalid_operation', refusal, 'Nothing was changed. Do it with what the document already has.')
  }
}

function readingOf(editor: BridgedEditor, { session, host }: BridgeSession) {
  return {
    getContentAsText() {
      const { doc } = editor.state
      return doc.textBetween(0, doc.content.size, '\n\n', (leaf) => (leaf.type.name === 'hardBreak' ? '\n' : ''))
    },
    getContent: () => editor.state.doc.toJSON() as JSONContent,
    getComments: () => host.threads(),
    getChanges() {
      const read = session.view()
      const changes = read.ok ? readChanges(read.view.doc) : []
      return changes.map((change) => ({ ...change, author: host.authorOfChange(change.id) }))
    },
    getSelectionContext: () => readSelectionContext(editor.state),
  } satisfies Partial<EditorBridge>
}

function actionsOf(execute: Execute, { highlights }: BridgeSession) {
  const placed = (target: Target) => blockOf(target, (input) => execute('search_document', input))
  return {
    addComment: (target, text) => execute('add_comment', { ...toolTarget(target), text }),
    replyTo: (thread, text) => execute('reply_to_comment', { commentId: thread, text }),
    resolveComment: (thread) => execute('resolve_comment', { commentId: thread }),
    replace: (target, replacement) => execute('edit_document', { ...target, replace: replacement }),
    async proposeInsertion(target, text, position = 'after') {
      const place = await placed(target)
      if (!place.ok) return place
      const { find } = target
      const { block, occurrence = target.occurrence } = place
      const search = find === undefined ? {} : { search: find, ...(occurrence === undefined ? {} : { occurrence }) }
      return execute('suggest_insertion', { block, text, position, ...search })
    },
    proposeDeletion: (target) => execute('suggest_deletion', toolTarget(target)),
    async highlight(target, options = {}) {
      const result = await execute('highlight_text', { ...toolTarget(target), ...options })
      const { highlightId } = (result.details ?? {}) as { highlightId?: string }
      return { result, remove: () => void (highlightId !== undefined && highlights.remove(highlightId)) }
    },
    async scrollTo(target, options = {}) {
      const place = await placed(target)
      return place.ok ? execute('scroll_to', { block: place.block, ...options }) : place
    },
  } satisfies Partial<EditorBridge>
}

/**
 * A place in the document: an exact text (in a block, if one is given), a whole block by a number that a result has
 * shown, or the person's selection. `occurrence` selects one of several occurrences of the text.
 */
export type Target = {
  find?: string
  block?: number
  occurrence?: number | 'first' | 'last'
  selection?: true
}

function toolTarget({ find, ...place }: Target): Record<string, unknown> {
  return find === undefined ? place : { ...place, search: find }
}

/** The number of a target's block, for tools that need one; `search` executes `search_document`. */
async function blockOf(
  { find, block, occurrence = 1 }: Target,
  search: (input: { query: string; matchCase: true }) => Promise<ToolResult>,
): Promise<{ ok: true; block: number; occurrence?: number } | ToolFailure> {
  if (block !== undefined) return { ok: true, block }
  if (find === undefined) return failure('invalid_input', 'No place is named.', 'Give find (the exact text) or block.')
  const found = await search({ query: find, matchCase: true })
  if (!found.ok) return found
  const { matches } = found.details as { matches: readonly { block: number }[] }
  const index = occurrence === 'first' ? 0 : occurrence === 'last' ? matches.length - 1 : occurrence - 1
  const match = matches[index]
  if (!match) return failure('not_found', `"${find}" is not in the document.`, 'Look at it with getContentAsText.')
  // The tool counts the occurrences within the block.
  const before = matches.slice(0, index).filter((each) => each.block === match.block)
  return { ok: true, block: match.block, occurrence: before.length + 1 }
}

/** A selection with the text around it. `from` and `to` are ProseMirror positions. */
export type SelectionContext = {
  text: string
  from: number
  to: number
  /** The text of the block in which the selection begins. */
  block: string
  /** At most 200 characters before and after the selection. */
  before: string
  after: string
}

const contextLength = 200

/** The selection of an editor; null if it is empty. */
function readSelectionContext({ doc, selection }: EditorState): SelectionContext | null {
  const { from, to, empty, $from } = selection
  if (empty) return null
  const between = (start: number, end: number): string => doc.textBetween(start, end, '\n')
  return {
    text: between(from, to),
    from,
    to,
    block: $from.parent.textContent,
    before: between(Math.max(0, from - contextLength), from),
    after: between(to, Math.min(doc.content.size, to + contextLength)),
  }
}
