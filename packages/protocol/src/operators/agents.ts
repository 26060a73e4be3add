import { z } from 'zod'
import { Localizable } from '../localizable.ts'
import { AgentMode } from '../documents/documents.ts'
import { PersonName } from '../people/people.ts'

/**
 * The name that calls an agent in texts, after an `@`: lower-case letters, digits and single hyphens. `agent` is the
 * default agent's.
 */
const AgentHandle = z
  .string()
  .trim()
  .toLowerCase()
  .min(2, 'A handle has at least 2 characters.')
  .max(30, 'A handle has at most 30 characters.')
  .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'A handle has the letters a to z, digits and single hyphens.')
  .refine((handle) => handle !== 'agent', 'The default agent has this handle. Choose another one.')

const Color = z.string().regex(/^#[0-9a-f]{6}$/, 'A colour is # and six digits of hex.')
const Picture = z
  .string()
  .trim()
  .max(16)
  .regex(/^\p{Extended_Pictographic}/u, 'The picture is one emoji.')
  .refine((text) => [...new Intl.Segmenter().segment(text)].length === 1, 'The picture is one emoji.')
const Instruction = z
  .string()
  .trim()
  .min(1, 'Write what the agent should do.')
  .max(2000, 'The task has at most 2,000 characters.')

/**
 * A condition that starts an agent automatically. `schedule`: in `document`, at the times of a cron expression in a
 * time zone; `comment`: for each comment of a person that calls no agent; `document`: for each document that a person
 * creates in the folder or moves there. Without a folder: in all documents where the agent may work. `id` is the id of
 * an existing trigger to keep.
 */
export const AgentTrigger = z.discriminatedUnion('kind', [
  z.object({
    id: z.string().max(100).exactOptional(),
    kind: z.literal('schedule'),
    document: z.string().min(1, 'Choose the document to work in.').max(100),
    cron: z.string().trim().min(9, 'Give five fields: minute, hour, day, month, weekday.').max(100),
    zone: z.string().min(1).max(64),
    instruction: Instruction,
  }),
  z.object({
    id: z.string().max(100).exactOptional(),
    kind: z.enum(['comment', 'document']),
    folder: z.string().max(100).nullable(),
    instruction: Instruction,
  }),
])
export type AgentTrigger = z.infer<typeof AgentTrigger>

const triggersAtMost = 10
const fields = {
  handle: AgentHandle,
  name: PersonName,
  description: z.string().trim().max(200, 'A description has at most 200 characters.'),
  color: Color,
  picture: Picture.nullable(),
  instructions: z.string().trim().max(8000, 'Instructions have at most 8,000 characters.'),
  model: z.string().trim().min(1).max(200).nullable(),
  tools: z.array(z.string().max(64)).max(200).nullable(),
  mode: AgentMode.nullable(),
  dailyTokens: z.number().int().min(1).max(1_000_000_000_000).nullable(),
  maxRounds: z.number().int().min(1).max(100).nullable(),
  folders: z.array(z.string().max(100)).min(1, 'Choose a folder, or let it work everywhere.').max(50).nullable(),
  enabled: z.boolean(),
  triggers: z.array(AgentTrigger).max(triggersAtMost, 'An agent has at most 10 triggers.'),
}

/** A new agent; omitted fields set no limit, and the agent is on. */
export const CreateAgent = z.object(fields).partial().required({ handle: true, name: true, color: true })
export type CreateAgent = z.infer<typeof CreateAgent>

/** Changes of an agent. `triggers` replaces all triggers. */
export const PatchAgent = z.object(fields).partial()
export type PatchAgent = z.infer<typeof PatchAgent>

const Shown = {
  id: z.string(),
  /** The operator whose rights the agent has. */
  owner: z.string(),
  lastAt: z.iso.datetime().nullable(),
  nextAt: z.iso.datetime().nullable(),
  /** The reason why the last start failed. */
  problem: z.string().nullable(),
  /** The same as a translatable text, if it has values. */
  localizable: Localizable.optional(),
}

/** A stored trigger, with the outcome of its last start. */
export const SetTrigger = z.discriminatedUnion('kind', [
  AgentTrigger.options[0].extend(Shown),
  AgentTrigger.options[1].extend(Shown),
])
export type SetTrigger = z.infer<typeof SetTrigger>

/**
 * A named agent. Null fields set no limit: `model` is then the default agent's, `tools` all, `mode` the document's,
 * `folders` all.
 */
export const NamedAgent = z
  .object({
    ...fields,
    id: z.string(),
    triggers: z.array(SetTrigger),
    lastRun: z.object({ document: z.string(), at: z.iso.datetime(), status: z.string() }).nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'NamedAgent' })
export type NamedAgent = z.infer<typeof NamedAgent>

/** All agents, and the models and tools that can be assigned to an agent. */
export const AgentList = z.object({
  agents: z.array(NamedAgent),
  models: z.array(z.object({ ref: z.string(), label: z.string() })),
  tools: z.array(z.string()),
})
export type AgentList = z.infer<typeof AgentList>
