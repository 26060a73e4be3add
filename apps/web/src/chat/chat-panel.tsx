import { AgentPanel, type ChatMode, type ChatSelection, type PanelTexts } from '@copydesk/agent-panel'
import '@copydesk/agent-panel/styles.css'
import { AgentMode, FILES_CHANGED, type Me, type OwnUsage, type Run } from '@copydesk/protocol'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Editor } from '@tiptap/core'
import { Sparkles } from 'lucide-react'
import { use, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { separatePart } from '../common/lazy-part.ts'
import { patchDocument, useDocumentSummary } from '../api/documents.ts'
import { proposalKey } from '../api/runs.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { useColorOf, useConnectionState, useRoom } from '../collaboration/hooks.ts'
import type { RoomSnapshot } from '../collaboration/room-store.ts'
import { draftsUnder } from '../common/drafts.ts'
import { missingRight } from '../common/roles.ts'
import type { ShownRun } from '../common/layout/page-layout.ts'
import type { ChangedBlocks } from '../editor/agent-edits/changed-blocks.ts'
import { currentWording } from '../i18n/language.ts'
import { type EnglishText, t } from '../i18n/translate.ts'
import { MentionField } from '../mentions/mention-field.tsx'
import { showError } from '../ui/toasts/toasts.tsx'
import './agent-panel.css'
import { createChatView } from './chat-view.ts'
import { useOutdatedSteps } from './runs/outdated-steps.ts'
import type { Conversation } from './conversations/conversations.ts'
import { createRunActions } from './runs/run-actions.ts'
import { sendMessage } from './conversations/send-message.ts'
import { useConversations } from './conversations/use-conversations.ts'
import { commandsFor, useSelectedText } from './use-selected-text.ts'

const PanelNotices = separatePart(async () => (await import('./panel-notices.tsx')).PanelNotices)

type ChatPanelProps = {
  connection: DocumentConnection
  editor: Editor
  changed: ChangedBlocks
  me: Me
  shownRun: ShownRun | undefined
  canEdit: boolean
  onShowText: () => void
}

/** The chat with the agent, shared by all users of the document: connects the room and HTTP to `AgentPanel`. */
export function ChatPanel(props: ChatPanelProps) {
  const { connection, editor, me, shownRun, canEdit } = props
  const { document } = connection
  const room = useRoom(connection.room)
  const { forPanel: conversations, current } = useConversations(document, room, shownRun)
  const [usedUp, setUsedUp] = useState<OwnUsage['usedUp']>()
  const { messages, steps, runActions } = useChat(props, room, current, usedUp)
  const { selected, place } = useSelectedText(editor)
  const mode = useAgentMode(document, room, canEdit)
  useFileChanges(connection)
  const isConnected = useConnectionState(connection, ({ connected }) => connected)
  const cannotAsk = useCannotAsk(document)
  const drafts = useMemo(() => draftsUnder(`chat ${document}`), [document])
  // For English the panel's own texts suffice.
  const texts = currentWording().language === 'en' ? undefined : use(loadTexts())
  const { provider } = me.agent
  const selection: ChatSelection | null = selected && { ...selected, onClear: () => clearSelection(editor) }
  return (
    <AgentPanel
      frame="bare"
      isOpen
      texts={texts}
      locale={currentWording().locale}
      messageLabel={t('Message the agent')}
      messages={messages}
      steps={steps}
      conversations={conversations}
      drafts={drafts}
      isConnected={isConnected}
      onSend={(text) => sendMessage(text, { document, conversation: conversations.current, editor, mode: mode?.value })}
      onDecide={runActions.decide}
      decideDisabledReason={canEdit ? undefined : t('Only people who can edit this document may decide.')}
      shown={shownRun}
      selection={selection}
      selectionTip={t('Ask the agent, or select text first')}
      commands={commandsFor(place, provider)}
      mode={mode}
      sendDisabledReason={cannotAsk}
      aroundBox={(box) => <MentionField document={document}>{box}</MentionField>}
      empty={<Empty provider={provider} />}
      notice={<PanelNotices me={me} runs={room.runs} onUsedUp={setUsedUp} />}
    />
  )
}

/** Fetches the shown proposals for files again when the server says that files have changed. */
function useFileChanges({ provider }: DocumentConnection): void {
  const client = useQueryClient()
  useEffect(() => {
    const listener = ({ payload }: { payload: string }) => {
      if (payload === FILES_CHANGED) void client.invalidateQueries({ queryKey: [proposalKey] })
    }
    provider.on('stateless', listener)
    return () => void provider.off('stateless', listener)
  }, [client, provider])
}

let loadedTexts: Promise<PanelTexts | undefined> | undefined

function loadTexts(): Promise<PanelTexts | undefined> {
  loadedTexts ??= import('./panel-texts.ts').then(
    ({ panelTexts }) => panelTexts(),
    () => undefined,
  )
  return loadedTexts
}

function useChat(
  { connection, editor, me, changed, canEdit, onShowText }: ChatPanelProps,
  room: RoomSnapshot,
  conversation: Pick<Conversation, 'messages' | 'runs'>,
  usedUp: OwnUsage['usedUp'] | undefined,
) {
  const colorOf = useColorOf(connection)
  const shownChanges = useSyncExternalStore(changed.shown.subscribe, changed.shown.get)
  const isUndone = shownChanges !== null && room.runs.get(shownChanges)?.undone === true
  useEffect(() => {
    if (isUndone) changed.hide()
  }, [isUndone, changed])
  const cannotAsk = useCannotAsk(connection.document)
  const outdated = useOutdatedSteps(editor, room.runs)
  const [readView] = useState(createChatView)
  const runActions = useMemo(() => createRunActions(connection.document, connection.room), [connection])
  const view = useMemo(() => {
    const onShowChanges = (run: Run) => {
      if (changed.shown.get() === run.id) return changed.hide()
      onShowText()
      // If the panel covered the text, the text gets its size again only in the next frame.
      requestAnimationFrame(() => changed.show(run))
      return undefined
    }
    return readView(room, conversation, {
      self: me.user.id,
      canEdit,
      cannotAsk,
      usedUp,
      colorOf,
      shownChanges,
      outdated,
      onShowChanges,
      runActions,
    })
  }, [
    readView,
    room,
    conversation,
    me.user.id,
    canEdit,
    cannotAsk,
    usedUp,
    colorOf,
    shownChanges,
    outdated,
    runActions,
    changed,
    onShowText,
  ])
  return { ...view, runActions }
}

function useCannotAsk(document: string): string | undefined {
  const { data: summary } = useDocumentSummary(document)
  return missingRight(summary?.role, 'ask')
}

function clearSelection(editor: Editor): void {
  editor.commands.setTextSelection(editor.state.selection.to)
}

// Only this text and the agent's own help describe the built-in agent.
const commands: EnglishText =
  'The built-in agent needs no model. It follows plain commands: “Replace teh with the.” “Make deadline bold.”'
const exampleRequests: EnglishText = '“Fix the spelling.” “Make the second section shorter.”'

function Empty({ provider }: Pick<Me['agent'], 'provider'>) {
  return (
    <div className="flex h-full flex-col items-center justify-center px-4 text-center text-ink-soft">
      <span
        aria-hidden
        className="mb-3 inline-flex size-10 items-center justify-center rounded-xl bg-agent-soft text-agent"
      >
        <Sparkles size={20} />
      </span>
      <p className="font-medium text-ink">{t('Ask the agent for something')}</p>
      <div className="mt-1 text-sm text-balance">
        {t(provider === 'builtin' ? commands : exampleRequests)} {t('Everybody here sees the conversation.')}
      </div>
    </div>
  )
}

const options: readonly { value: AgentMode; label: EnglishText; description: EnglishText }[] = [
  { value: 'edit', label: 'Edit', description: 'Changes the text at once' },
  { value: 'suggest', label: 'Suggest', description: 'Its changes become suggestions' },
  { value: 'ask', label: 'Ask', description: 'Asks before each change' },
]

type ChosenMode = { mode: AgentMode; instead: AgentMode }

function isAwaited({ instead }: ChosenMode, current: AgentMode | undefined): boolean {
  return current === instead
}

/** The agent mode of this document, shared by all its users; undefined until it is known. */
function useAgentMode(
  document: string,
  room: RoomSnapshot,
  canEdit: boolean,
): (ChatMode & { value: AgentMode }) | undefined {
  const { data: summary } = useDocumentSummary(document)
  // Shows the user's choice immediately, until the room reports it or another user's choice.
  const [chosen, setChosen] = useState<ChosenMode>()
  const change = useMutation({
    mutationFn: (mode: AgentMode) => patchDocument(document, { agentMode: mode }),
    onError(error) {
      setChosen(undefined)
      showError(error)
    },
  })
  // The room reports every change immediately; if the mode was never changed, the summary has it.
  const current = room.settings.agentMode ?? summary?.agentMode
  // Once the room has reported another value it takes precedence, even when it returns to the earlier one.
  if (chosen !== undefined && !isAwaited(chosen, current)) setChosen(undefined)
  if (current === undefined) return undefined
  return {
    value: !canEdit ? 'suggest' : chosen && isAwaited(chosen, current) ? chosen.mode : current,
    options: options.map(({ value, label, description }) => ({ value, label: t(label), description: t(description) })),
    onChange(value) {
      const mode = AgentMode.safeParse(value)
      if (!mode.success) return
      setChosen({ mode: mode.data, instead: current })
      change.mutate(mode.data)
    },
    disabledReason: canEdit ? undefined : t('You can’t edit this document, so the agent suggests for you.'),
  }
}
