import { parseArgs } from 'node:util'
import { type ProviderChoice, services, ServiceVariables } from '@copydesk/agent'
import { z } from 'zod'
import type { PlayOptions } from './play-case.ts'

/** What one call of `pnpm eval` is to do. */
export type RunOptions = {
  /** A group, an id, or the beginning of ids; everything without it. */
  only: string | undefined
  repeat: number
  /** Whether docs/models.md gets the result. */
  write: boolean
  /** The scripts play instead of a model. */
  scripted: boolean
  jsonOut: string | undefined
  /** The model's settings; undefined for the built-in agent. */
  settings: ProviderChoice | undefined
  limits: Pick<PlayOptions, 'maxRounds' | 'tokenLimit' | 'timeoutMs'>
}

const text = z.string().min(1).optional()
const positive = z.coerce.number().int().positive()

// The names and defaults are those of the server.
const Environment = z.object({
  AGENT_PROVIDER: z.enum(['auto', ...services.map(({ id }) => id), 'builtin']).default('auto'),
  AGENT_MODEL: text,
  AGENT_MAX_ROUNDS: positive.max(100).default(8),
  AGENT_TEMPERATURE: z.coerce.number().min(0).max(2).optional(),
  AGENT_MAX_OUTPUT_TOKENS: positive.optional(),
  AGENT_RUN_TIMEOUT_MS: positive.default(300_000),
  AGENT_RUN_TOKEN_LIMIT: positive.default(200_000),
  JSON_OUT: text,
})

const Flags = z.object({
  only: text,
  repeat: positive.max(100).default(1),
  write: z.boolean().default(false),
  scripted: z.boolean().default(false),
})

/**
 * Reads flags and environment; empty variables count as unset. A failure names the first flag or variable that can't be
 * used, but never its value, which may be a key.
 */
export function readOptions(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): { ok: true; options: RunOptions } | { ok: false; code: 'invalid_input'; message: string; hint: string } {
  const hint =
    'pnpm eval [--only <group or id>] [--repeat <n>] [--write] [--scripted]; the variables are those of the server.'
  const flags = Flags.safeParse(readFlags(args) ?? { only: 0 })
  if (!flags.success) return { ok: false, code: 'invalid_input', message: "These arguments can't be used.", hint }
  const given = Object.entries(environment).filter(([, value]) => value !== '')
  const parsed = Environment.safeParse(Object.fromEntries(given))
  const parsedServices = ServiceVariables.safeParse(Object.fromEntries(given))
  if (!parsed.success || !parsedServices.success) {
    const [issue] = [...(parsed.error?.issues ?? []), ...(parsedServices.error?.issues ?? [])]
    const name = String(issue?.path[0] ?? 'A variable')
    return { ok: false, code: 'invalid_input', message: `${name} has a value that can't be used.`, hint }
  }
  const variables = parsed.data
  const options: RunOptions = {
    ...flags.data,
    only: flags.data.only,
    jsonOut: variables.JSON_OUT,
    settings: variables.AGENT_PROVIDER === 'builtin' ? undefined : settingsOf(variables, parsedServices.data),
    limits: {
      maxRounds: variables.AGENT_MAX_ROUNDS,
      tokenLimit: variables.AGENT_RUN_TOKEN_LIMIT,
      timeoutMs: variables.AGENT_RUN_TIMEOUT_MS,
    },
  }
  return { ok: true, options }
}

function settingsOf(variables: z.infer<typeof Environment>, settings: ProviderChoice['services']): ProviderChoice {
  return {
    provider: variables.AGENT_PROVIDER,
    model: variables.AGENT_MODEL,
    temperature: variables.AGENT_TEMPERATURE,
    maxOutputTokens: variables.AGENT_MAX_OUTPUT_TOKENS,
    services: settings,
  }
}

function readFlags(args: readonly string[]): unknown {
  try {
    return parseArgs({
      args: args.filter((arg) => arg !== '--'),
      options: {
        only: { type: 'string' },
        repeat: { type: 'string' },
        write: { type: 'boolean' },
        scripted: { type: 'boolean' },
      },
    }).values
  } catch {
    return undefined
  }
}
