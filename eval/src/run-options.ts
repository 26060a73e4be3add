import { parseArgs } from 'node:util'
import type { ProviderSettings } from '@copydesk/agent'
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
  settings: ProviderSettings | undefined
  limits: Pick<PlayOptions, 'maxRounds' | 'tokenLimit' | 'timeoutMs'>
}

const text = z.string().min(1).optional()
const positive = z.coerce.number().int().positive()

// The names and defaults are those of the server.
const Environment = z.object({
  AGENT_PROVIDER: z.enum(['auto', 'anthropic', 'openai', 'gemini', 'builtin']).default('auto'),
  AGENT_MODEL: text,
  ANTHROPIC_API_KEY: text,
  ANTHROPIC_BASE_URL: z.url().optional(),
  OPENAI_API_KEY: text,
  OPENAI_BASE_URL: z.url().optional(),
  GEMINI_API_KEY: text,
  GOOGLE_GEMINI_BASE_URL: z.url().optional(),
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
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0] ?? 'A variable')
    return { ok: false, code: 'invalid_input', message: `${name} has a value that can't be used.`, hint }
  }
  const variables = parsed.data
  const options: RunOptions = {
    ...flags.data,
    only: flags.data.only,
    jsonOut: variables.JSON_OUT,
    settings: settingsOf(variables),
    limits: {
      maxRounds: variables.AGENT_MAX_ROUNDS,
      tokenLimit: variables.AGENT_RUN_TOKEN_LIMIT,
      timeoutMs: variables.AGENT_RUN_TIMEOUT_MS,
    },
  }
  return { ok: true, options }
}

function settingsOf(variables: z.infer<typeof Environment>): ProviderSettings | undefined {
  if (variables.AGENT_PROVIDER === 'builtin') return undefined
  return {
    provider: variables.AGENT_PROVIDER,
    model: variables.AGENT_MODEL,
    temperature: variables.AGENT_TEMPERATURE,
    maxOutputTokens: variables.AGENT_MAX_OUTPUT_TOKENS,
    anthropic: { apiKey: variables.ANTHROPIC_API_KEY, baseURL: variables.ANTHROPIC_BASE_URL },
    openai: { apiKey: variables.OPENAI_API_KEY, baseURL: variables.OPENAI_BASE_URL },
    gemini: { apiKey: variables.GEMINI_API_KEY, baseURL: variables.GOOGLE_GEMINI_BASE_URL },
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
