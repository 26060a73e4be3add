import { z } from 'zod'
import { AgentMode } from './documents/documents.ts'
import { Localizable } from './localizable.ts'
import { Mentioned, MentionIds } from './people/notifications.ts'
import { Author } from './people/people.ts'

/** The states of a run. `queued`, `running` and `awaiting_approval` are active; the other four are final. */
export const RunStatus = z.enum([
  'queued',
  'running',
  'awaiting_approval',
  'completed',
  'failed',
  'stopped',
  'limit_reached',
])
export type RunStatus = z.infer<typeof RunStatus>

const finalStatuses: readonly RunStatus[] = ['completed', 'failed', 'stopped', 'limit_reached']

/** Whether a run with this status has ended. */
export function isFinal(status: RunStatus): boolean {
  return finalStatuses.includes(status)
}

export const StepStatus = z.enum(['running', 'ok', 'error', 'awaiting_approval', 'rejected'])
export type StepStatus = z.infer<typeof StepStatus>

/** A text before and after a change, plain; `before` is empty for an insertion, `after` for a deletion. */
export const TextPair = z.object({ before: z.string(), after: z.string() })
export type TextPair = z.infer<typeof TextPair>

/** A person's decision on a call that was held for approval. */
export const Approval = z.object({
  decision: z.enum(['approve', 'reject']),
  by: Author,
  reason: z.string().optional(),
})
export type Approval = z.infer<typeof Approval>

/** Why a call failed and the hint to the agent, in English, and the translatable forms of both. */
export const StepError = z.object({
  message: z.string(),
  hint: z.string().optional(),
  localizable: z.object({ message: Localizable.optional(), hint: Localizable.optional() }).optional(),
})

/**
 * One tool call of a run. `summary` is one line for people, in English, and `localizable` its translatable form, in
 * steps of this version; `id` is the call's id in `…/approvals/:call`. While the call is held for approval, `proposal`
 * is the change that it would make.
 */
export const Step = z
  .object({
    id: z.string(),
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    status: StepStatus,
    summary: z.string(),
    localizable: Localizable.optional(),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().optional(),
    proposal: z.array(TextPair).optional(),
    approval: Approval.optional(),
    /** Why the call waits for approval, if not because of the mode. */
    reason: Localizable.optional(),
    /** Whether the call changed the document's content, so that it can be undone. */
    changed: z.boolean().optional(),
    undone: z.boolean().optional(),
    /** The answer of the model that made the call, counted from 1: the calls of one answer are approved together. */
    round: z.number().int().optional(),
    /** The agent's text in that answer; only the answer's first call has it. */
    said: z.string().optional(),
    /** The beginning of the result of a call that only reads. */
    read: z.string().optional(),
    /** Why the call failed, and the hint to the agent. */
    error: StepError.optional(),
    /**
     * The first blocks that the call changed, with their text before and after, shortened; `moreChanges` counts the
     * others.
     */
    changes: z.array(TextPair).optional(),
    moreChanges: z.number().int().optional(),
  })
  .meta({ id: 'Step' })
export type Step = z.infer<typeof Step>

export const Usage = z.object({ inputTokens: z.number().int(), outputTokens: z.number().int() })
export type Usage = z.infer<typeof Usage>

/** One part of the plan of a long task. */
export const PlanItem = z.object({ text: z.string(), state: z.enum(['open', 'doing', 'done']) })
export type PlanItem = z.infer<typeof PlanItem>

/**
 * The trigger of a run; `id` is that of the message, the mention (its requestId) or the comment. `api`: an agent of
 * another program makes its calls, over MCP. `schedule`, `document`: a named agent started automatically at a time or
 * because the document was created in a folder or moved there; `id` is that of its trigger.
 */
export const Trigger = z.object({
  kind: z.enum(['chat', 'mention', 'comment', 'api', 'schedule', 'document']),
  id: z.string(),
})
export type Trigger = z.infer<typeof Trigger>

/** A run of the agent. `rounds` counts the model answers used, `maxRounds` is the limit. */
export const Run = z
  .object({
    id: z.string(),
    documentId: z.string(),
    status: RunStatus,
    trigger: Trigger,
    instruction: z.string(),
    invokedBy: Author,
    /** The name of a named agent, or of an agent of another program; absent for the server's default agent. */
    agentName: z.string().optional(),
    /** The named agent that executes the run. */
    agent: z.object({ id: z.string(), handle: z.string() }).optional(),
    mode: AgentMode,
    rounds: z.number().int(),
    maxRounds: z.number().int(),
    steps: z.array(Step),
    usage: Usage,
    /** The cost of its tokens, in the currency of the configured prices; absent without a price. */
    cost: z.number().optional(),
    /** The latest plan of the agent. */
    plan: z.array(PlanItem).optional(),
    answer: z.string().optional(),
    /** A notice for people about a run that didn't fail, in one sentence. */
    notice: z.string().optional(),
    error: z.object({ code: z.string(), message: z.string(), localizable: Localizable.optional() }).optional(),
    /** The blocks that the run changed, with their text before and after. */
    changedBlocks: z.array(TextPair).optional(),
    /** Whether all changes of the run have been undone. */
    undone: z.boolean().optional(),
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'Run' })
export type Run = z.infer<typeof Run>

export const RunList = z.object({ runs: z.array(Run) })

/** Why a sent mention has started no run and never will. */
export const UnstartedReason = z.enum(['too_many_at_once', 'too_many_waiting', 'unknown_agent', 'by_agent'])
export type UnstartedReason = z.infer<typeof UnstartedReason>

/**
 * A mention of an agent that was sent and consumed without a run: `id` is its requestId, `message` says why, in a few
 * words.
 */
export const UnstartedMention = z
  .object({ id: z.string(), reason: UnstartedReason, message: z.string(), createdAt: z.iso.datetime() })
  .meta({ id: 'UnstartedMention' })
export type UnstartedMention = z.infer<typeof UnstartedMention>

const RelativePosition = z.base64().min(1).max(1024)

/** A user's selection: two base64 Yjs relative positions (`Y.encodeRelativePosition`). */
export const Selection = z.object({ anchor: RelativePosition, head: RelativePosition })
export type Selection = z.infer<typeof Selection>

/** The id of a conversation with the agent in a document's chat. Clients choose it. */
export const ConversationId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'The id of a conversation has 1 to 64 letters, digits, _ and -.')

/** A message to the agent; without `conversation` it belongs to the first conversation of the document. */
export const PostMessage = z.object({
  text: z
    .string()
    .trim()
    .min(1, 'Write what the agent should do.')
    .max(20_000, 'A message has at most 20,000 characters.'),
  selection: Selection.optional(),
  mode: AgentMode.optional(),
  mentions: MentionIds,
  conversation: ConversationId.optional(),
})
export type PostMessage = z.infer<typeof PostMessage>

/**
 * A chat message. An agent's message is `streaming` while it is being written. One without `conversation` belongs to
 * the
 * first conversation of the document.
 */
export const Message = z
  .object({
    id: z.string(),
    role: z.enum(['user', 'agent']),
    author: Author,
    text: z.string(),
    mentions: z.array(Mentioned).optional(),
    status: z.enum(['streaming', 'complete']),
    conversation: ConversationId.optional(),
    run: z.string().optional(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Message' })
export type Message = z.infer<typeof Message>

export const MessageList = z.object({ messages: z.array(Message) })
export const PostedMessage = z.object({ message: Message, run: Run })
export type PostedMessage = z.infer<typeof PostedMessage>

/** A person's decision on a call; `arguments` replaces the agent's arguments, `reason` is passed to the agent. */
export const DecideCall = z.object({
  decision: z.enum(['approve', 'reject']),
  arguments: z.record(z.string(), z.unknown()).optional(),
  reason: z.string().max(2000).optional(),
})
export type DecideCall = z.infer<typeof DecideCall>

/** Undo or redo of a run, or of one of its steps. */
export const UndoRun = z.object({ step: z.string().optional() })
