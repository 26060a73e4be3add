import { z } from 'zod'

/** The maximum number of characters of standing instructions: of the server's, and of a person's. */
export const INSTRUCTION_LIMITS = { server: 4_000, person: 2_000 } as const

/** The maximum number of favourite files of the server, and of a person. */
export const FAVOURITE_FILES = 20

const Files = z
  .array(z.string().trim().min(1).max(1_000, 'A path has at most 1,000 characters.'))
  .max(FAVOURITE_FILES, 'There may be 20 files at most.')
  .transform((paths) => [...new Set(paths)])

/**
 * A limit of runs or of their tools: `rounds` or a name of `TOOL_LIMITS`. `value` is the current limit; `isFixed`: an
 * environment variable sets it, so it can't be changed here.
 */
export const AgentLimit = z
  .object({
    name: z.string(),
    value: z.number().int(),
    default: z.number().int(),
    min: z.number().int(),
    max: z.number().int(),
    isFixed: z.boolean(),
  })
  .meta({ id: 'AgentLimit' })
export type AgentLimit = z.infer<typeof AgentLimit>

/**
 * A person's settings for the runs that they start. `files` are paths in the server's project, which the agent reads
 * first; without `hasProject` they have no effect.
 */
export const AgentPreferences = z
  .object({ instructions: z.string(), files: z.array(z.string()), hasProject: z.boolean() })
  .meta({ id: 'AgentPreferences' })
export type AgentPreferences = z.infer<typeof AgentPreferences>

/** The operators' settings for all runs: as `AgentPreferences`, and limits. */
export const AgentSettings = AgentPreferences.extend({ limits: z.array(AgentLimit) }).meta({ id: 'AgentSettings' })
export type AgentSettings = z.infer<typeof AgentSettings>

/** Changes of `AgentPreferences`. */
export const PatchAgentPreferences = z.object({
  instructions: z
    .string()
    .trim()
    .max(INSTRUCTION_LIMITS.person, 'Instructions have at most 2,000 characters.')
    .exactOptional(),
  files: Files.exactOptional(),
})
export type PatchAgentPreferences = z.infer<typeof PatchAgentPreferences>

/** Changes of `AgentSettings`; `null` resets a limit to its default. */
export const PatchAgentSettings = z.object({
  instructions: z
    .string()
    .trim()
    .max(INSTRUCTION_LIMITS.server, 'Instructions have at most 4,000 characters.')
    .exactOptional(),
  files: Files.exactOptional(),
  limits: z.record(z.string().max(40), z.number().int().nullable()).exactOptional(),
})
export type PatchAgentSettings = z.infer<typeof PatchAgentSettings>
