import type { ChatAction, ChatAuthor, ChatMessage, ChatRun, ChatStep } from '@copydesk/agent-panel'
import { type Author, hasNoContributorExcept, isFinal, type OwnUsage, type Run, type Step } from '@copydesk/protocol'
import { createElement } from 'react'
import type { RoomSnapshot } from '../collaboration/room-store.ts'
import { hasChanged } from '../editor/agent-edits/run-undo.ts'
import { lazyPart } from '../common/lazy-part.ts'
import { formatDate, formatNumber, timeOfDay } from '../i18n/format.ts'
import { type EnglishText, t } from '../i18n/translate.ts'
import { MentionText } from '../mentions/mention-text.tsx'
import { type Entry, readEntries } from './conversations/entries.ts'
import { describeApproval, editableArgument, approvalReason, type RunActions, stepKey } from './runs/run-actions.ts'
import {
  answerInWords,
  inUsersLanguage,
  isQueuedBehind,
  problemInWords,
  readInWords,
  stepTitle,
  viewRun,
} from './runs/run-view.ts'

const FileReview = lazyPart(async () => (await import('./files/file-review.tsx')).FileReview)

/**
 * The inputs of the conversation's view: the user, their rights, and the run whose changes are highlighted in the text.
 */
export type ChatReader = {
  self: string
  canEdit: boolean
  /** Why the user may neither ask nor stop the agent; undefined if they may. */
  cannotAsk: string | undefined
  /** Today's exhausted budgets; undefined while unknown. */
  usedUp: OwnUsage['usedUp'] | undefined
  colorOf: (id: string) => string
  shownChanges: string | null
  /** The keys of the steps that no longer fit the text (`useOutdatedSteps`). */
  outdated: readonly string[]
  onShowChanges: (run: Run) => void
  runActions: RunActions
}

/** The conversation in the form of `AgentPanel`. */
export type ChatView = { messages: ChatMessage[]; steps: ChatStep[] }

type Chat = Pick<RoomSnapshot, 'messages' | 'runs'>
type CachedRun = { key: string; reader: ChatReader; message: ChatMessage; steps: ChatStep[] }

const mayEdit: EnglishText = 'Only people who can edit this document may do this.'

/**
 * Creates a function that converts a conversation of a room to messages and steps; unchanged ones keep their identity,
 * so that the panel renders only the changes.
 */
export function createChatView(): (room: RoomSnapshot, conversation: Chat, reader: ChatReader) => ChatView {
  const runs = new WeakMap<Run, CachedRun>()
  const messages = new WeakMap<object, ChatMessage>()
  return (room, conversation, reader) => {
    const open = openSuggestions(room, reader.self)
    const view: ChatView = { messages: [], steps: [] }
    for (const entry of readEntries(conversation)) {
      if (entry.kind === 'message') {
        const known = messages.get(entry.message)
        const color = reader.colorOf(entry.message.author.id)
        const message = known?.author.color === color ? known : toMessage(entry, color)
        messages.set(entry.message, message)
        view.messages.push(message)
        continue
      }
      const shown = keep(
        runs,
        entry,
        reader,
        open.get(entry.run.id) ?? 0,
        isQueuedBehind(entry.run, room.runs.values()),
      )
      view.messages.push(shown.message)
      view.steps.push(...shown.steps)
    }
    return view
  }
}

function keep(
  runs: WeakMap<Run, CachedRun>,
  entry: Extract<Entry, { kind: 'run' }>,
  reader: ChatReader,
  suggestions: number,
  isBehind: boolean,
): CachedRun {
  const { run } = entry
  const isShown = reader.shownChanges === run.id
  const key = JSON.stringify([
    entry.answer,
    entry.asked,
    suggestions,
    isBehind,
    isShown,
    run.agent && reader.colorOf(run.agent.id),
    reader.canEdit,
    reader.cannotAsk,
    reader.usedUp,
    run.steps.filter(({ id }) => reader.outdated.includes(stepKey(run.id, id))).length,
  ])
  const known = runs.get(run)
  if (known?.key === key && known.reader.runActions === reader.runActions) return known
  const kept: CachedRun = {
    key,
    reader,
    message: {
      id: run.id,
      author: authorOf(run, reader),
      text: answerInWords(entry.answer),
      at: run.createdAt,
      asked: entry.asked ? { by: entry.asked.by.name, how: entry.asked.how, text: entry.asked.text } : undefined,
      run: toChatRun(run, reader, { suggestions, isBehind, isShown }),
    },
    steps: hasSameSteps(run, known?.reader, reader) ? (known?.steps ?? []) : toChatSteps(run, reader),
  }
  runs.set(run, kept)
  return kept
}

function toMessage({ message }: Extract<Entry, { kind: 'message' }>, color: string): ChatMessage {
  const author: ChatAuthor = { ...pick(message.author), color }
  const { id, text, mentions, run, createdAt: at } = message
  if (message.role === 'agent' || !mentions?.length) return { id, author, text, at }
  return { id, author, text, at, content: createElement(MentionText, { text, mentions, run }) }
}

function pick({ id, name, kind }: Author): Author {
  return { id, name, kind }
}

// A change with other contributors is decided in its own card.
function openSuggestions({ changes }: RoomSnapshot, self: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const change of changes.values()) {
    const { run } = change
    if (run !== undefined && hasNoContributorExcept(change, self)) counts.set(run, (counts.get(run) ?? 0) + 1)
  }
  return counts
}

function authorOf({ agent, agentName: name = t('Agent') }: Run, { colorOf }: ChatReader): ChatAuthor {
  return { id: 'agent', name, kind: 'agent', ...(agent && { color: colorOf(agent.id) }) }
}

type RunState = { suggestions: number; isBehind: boolean; isShown: boolean }

function toChatRun(run: Run, reader: ChatReader, state: RunState): ChatRun {
  const view = viewRun(run, state.isBehind)
  const isGoing = view.tone === 'going'
  return {
    tone: run.undone === true ? 'quiet' : view.tone,
    label: run.undone === true && !isGoing ? t('Undone') : view.headline,
    detail: view.rounds ?? undefined,
    problem: view.problem ?? undefined,
    notice: run.notice && inUsersLanguage(run.notice),
    plan: run.plan,
    figures: isGoing || run.rounds === 0 || run.trigger.kind === 'api' ? undefined : figuresOf(run),
    stop: isGoing
      ? {
          id: 'stop',
          label: t('Stop'),
          icon: 'stop',
          disabledReason: reader.cannotAsk,
          run: () => reader.runActions.stop(run.id),
        }
      : undefined,
    actions: isGoing ? suggestionActions(run, reader, state) : runActions(run, reader, state),
  }
}

function figuresOf({ rounds, maxRounds, usage, cost = 0 }: Run): string {
  const tokens = usage.inputTokens + usage.outputTokens
  const counted = t('{rounds, number} of {maxRounds, number} rounds', { rounds, maxRounds })
  if (tokens === 0) return counted
  const spent =
    cost === 0 ? '' : ` · ${t('cost {amount}', { amount: formatNumber(cost, { maximumSignificantDigits: 2 }) })}`
  return `${counted} · ${t('{count} tokens', { count: formatNumber(tokens) })}${spent}`
}

function runActions(run: Run, reader: ChatReader, state: RunState): ChatAction[] {
  const { canEdit, runActions } = reader
  const actions = suggestionActions(run, reader, state)
  const mayContinue = canEdit || run.invokedBy.id === reader.self
  const disabledReason = mayContinue
    ? usedUpReason(run, reader)
    : t('Only people who can edit, or who asked, may do this.')
  const retry = { icon: 'retry' as const, disabledReason, run: () => runActions.continueRun(run.id) }
  // An agent of another program continues on its own.
  const canContinue = run.undone !== true && run.trigger.kind !== 'api'
  if (canContinue && run.status === 'limit_reached') actions.push({ id: 'continue', label: t('Continue'), ...retry })
  if (canContinue && run.status === 'failed') actions.push({ id: 'retry', label: t('Try again'), ...retry })
  if (hasChanged(run)) {
    actions.push(undoAction(run, canEdit ? undefined : t(mayEdit), runActions))
  }
  if ((run.changedBlocks?.length ?? 0) > 0 && run.undone !== true) {
    const label = t(state.isShown ? 'Hide changes' : 'Show changes')
    actions.push({ id: 'changes', label, icon: 'eye', isPressed: state.isShown, run: () => reader.onShowChanges(run) })
  }
  return actions
}

/** Why a run can't continue today, as far as known: only the server knows the budget of another caller. */
function usedUpReason({ agent, invokedBy }: Run, { usedUp, self }: ChatReader): string | undefined {
  const isUsedUp =
    usedUp !== undefined &&
    (usedUp.server || usedUp.agents.includes(agent?.id ?? '') || (usedUp.person && invokedBy.id === self))
  if (!isUsedUp) return undefined
  const time = formatDate(new Date().setUTCHours(24, 0, 0, 0), timeOfDay)
  return t('Today’s budget for agents is used up. The next day begins at {time}.', { time })
}

function undoAction(run: Run, disabledReason: string | undefined, { undo, redo }: RunActions): ChatAction {
  return run.undone === true
    ? { id: 'redo', label: t('Redo'), icon: 'redo', disabledReason, run: () => redo(run.id) }
    : { id: 'undo', label: t('Undo'), icon: 'undo', disabledReason, run: () => undo(run.id) }
}

function suggestionActions(run: Run, { canEdit, runActions }: ChatReader, { suggestions }: RunState): ChatAction[] {
  if (suggestions === 0) return []
  const disabledReason = canEdit ? undefined : t(mayEdit)
  const accept = t('{count, plural, one {Accept suggestion} other {Accept # suggestions}}', { count: suggestions })
  const decide = (decision: 'accept' | 'reject') => () => runActions.decideSuggestions(run.id, decision)
  return [
    { id: 'accept', label: accept, icon: 'check', look: 'primary', disabledReason, run: decide('accept') },
    { id: 'reject', label: t('Reject'), icon: 'close', disabledReason, run: decide('reject') },
  ]
}

const noLongerFits: EnglishText =
  'The text has changed since: this no longer fits. Reject it, and ask the agent to look again.'

const statuses: Record<Step['status'], ChatStep['status']> = {
  running: 'running',
  ok: 'done',
  error: 'failed',
  awaiting_approval: 'waiting',
  rejected: 'rejected',
}

function hasSameSteps(run: Run, before: ChatReader | undefined, now: ChatReader): boolean {
  if (before?.canEdit !== now.canEdit) return false
  const isAlike = ({ id }: Step) => {
    const key = stepKey(run.id, id)
    return before.outdated.includes(key) === now.outdated.includes(key)
  }
  return run.steps.every(isAlike)
}

/** The steps of a run for the panel; a user who can edit may undo them. */
function toChatSteps(run: Run, { canEdit, runActions, outdated }: ChatReader): ChatStep[] {
  const canUndo = canEdit && isFinal(run.status)
  // The answer shows the plan itself.
  const shown = run.steps.filter(({ tool, status }) => tool !== 'update_plan' || status !== 'ok')
  return shown.map((step) => ({
    id: stepKey(run.id, step.id),
    messageId: run.id,
    title: stepTitle(step) || step.tool.replaceAll('_', ' '),
    status: step.approval && step.status === 'awaiting_approval' ? 'running' : statuses[step.status],
    tool: step.tool,
    said: step.said,
    read: readInWords(step),
    changes: step.changes,
    moreChanges: step.moreChanges,
    error: step.error && problemInWords(step.error),
    durationMs: durationOf(step),
    group: `${run.id} ${step.round ?? step.id}`,
    proposal: step.proposal,
    review: canEdit && isFileChange.test(step.tool) ? reviewOf(run, step, runActions) : undefined,
    warning: outdated.includes(stepKey(run.id, step.id)) ? t(noLongerFits) : approvalReason(step),
    text: editableArgument(step)?.text,
    decided: describeApproval(step),
    isUndone: step.undone === true,
    actions: canUndo && step.changed === true ? [undoStep(run, step, runActions)] : [],
  }))
}

const isFileChange = /^(?:edit|create)_file$/

function reviewOf(run: Run, step: Step, runActions: RunActions): ChatStep['review'] {
  return (edited, onEdit, onBlocked) => createElement(FileReview, { run, step, edited, onEdit, onBlocked, runActions })
}

function undoStep(run: Run, step: Step, runActions: RunActions): ChatAction {
  const isUndone = step.undone === true
  return {
    id: isUndone ? 'redo-step' : 'undo-step',
    label: t(isUndone ? 'Redo this step' : 'Undo this step'),
    icon: isUndone ? 'redo' : 'undo',
    run: () => (isUndone ? runActions.redo(run.id, step.id) : runActions.undo(run.id, step.id)),
  }
}

// Undefined for a call that waited for approval: most of that time is the user's decision.
function durationOf({ startedAt, endedAt, approval }: Step): number | undefined {
  return endedAt === undefined || approval ? undefined : Date.parse(endedAt) - Date.parse(startedAt)
}
