import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { type ServiceSettings, services, ServiceVariables } from '@copydesk/agent'
import { defaultLimits, type ToolLimits } from '@copydesk/tools'
import { z } from 'zod'
import { parseJson } from '../common/parse-json.ts'
import { defaultQuotas, type Quotas } from '../quotas/quotas.ts'
import { makePrivateFolder, privateFile } from '../common/private-files.ts'
import { type ToolServerCommands, ToolServerVariables } from '../tool-servers/tool-server-settings.ts'
import { type WebSettings, WebVariables } from '../web/web-settings.ts'

/** Invalid configuration. The message is one line: the variable, the given value and the allowed values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const loopback = ['127.0.0.1', 'localhost', '::1']
const text = z.string().min(1)
const secretLength = 32
const positiveInteger = z.coerce.number().int().positive()

const providerNames = ['auto', ...services.map(({ id }) => id), 'builtin']
const limitNames = Object.keys(defaultLimits) as (keyof ToolLimits)[]
const quotaNames = Object.keys(defaultQuotas) as (keyof Quotas)[]

/** Parses a JSON object that maps some of these names to numbers of the given schema. */
function jsonOf<Name extends string>(names: readonly Name[], number: z.ZodNumber) {
  return z.string().transform((given, context): Partial<Record<Name, number>> => {
    const parsed = z.partialRecord(z.enum(names), number).safeParse(parseJson(given))
    if (parsed.success) return parsed.data as Partial<Record<Name, number>>
    context.addIssue({ code: 'custom', message: 'not JSON with these names' })
    return z.NEVER
  })
}

const Environment = z.object({
  HOST: text.default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  ROLE: z.enum(['all']).default('all'),
  DATA_DIR: text.default('./data'),
  DATABASE_URL: z.undefined().optional(),
  REDIS_URL: z.undefined().optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  AUTH: z.enum(['open', 'accounts']).optional(),
  AUTH_OPEN_ON_NETWORK: z.stringbool().default(false),
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: text.optional(),
  OIDC_CLIENT_SECRET: text.optional(),
  OIDC_NAME: text.max(40).default('single sign-on'),
  OIDC_SIGN_UP: z.stringbool().default(false),
  RESET_PASSWORD_OF: z.email().optional(),
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  SECRET: z.string().min(secretLength).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: text.regex(/^[^\r\n]*@[^\r\n]*$/).optional(),
  AGENT_PROVIDER: z.enum(providerNames).default('auto'),
  AGENT_MODEL: text.optional(),
  AGENT_MAX_ROUNDS: positiveInteger.max(100).optional(),
  AGENT_TEMPERATURE: z.coerce.number().min(0).max(2).optional(),
  AGENT_MAX_OUTPUT_TOKENS: positiveInteger.optional(),
  AGENT_CONTEXT_TOKENS: positiveInteger.min(16_000).default(100_000),
  AGENT_RUN_TIMEOUT_MS: positiveInteger.default(300_000),
  AGENT_RUN_TOKEN_LIMIT: positiveInteger.default(200_000),
  AGENT_DAILY_TOKEN_LIMIT: positiveInteger.optional(),
  TOOL_LIMITS: jsonOf(limitNames, z.number().int().positive()).default({}),
  // 0 allows none.
  QUOTAS: jsonOf(quotaNames, z.number().int().min(0).max(1_000_000_000)).default({}),
  PROJECT_DIR: text.optional(),
  HISTORY_DAYS: positiveInteger.max(36_500).optional(),
  TRASH_DAYS: z.coerce.number().int().min(0).max(36_500).default(30),
  KEEP_OPEN_SECONDS: z.coerce.number().int().min(0).max(86_400).default(30),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
})

const allowed: Partial<
  Record<keyof z.input<typeof Environment> | keyof z.input<typeof WebVariables> | 'TOOL_SERVERS', string>
> = {
  PORT: 'a port from 0 to 65535',
  ROLE: 'all (separate web and worker processes are not available yet)',
  DATABASE_URL: 'nothing: this version stores in DATA_DIR only',
  REDIS_URL: 'nothing: this version runs as one process',
  PUBLIC_URL: 'an http:// or https:// address',
  AUTH: 'open or accounts',
  AUTH_OPEN_ON_NETWORK: 'true or false',
  OIDC_ISSUER: 'an http:// or https:// address',
  OIDC_NAME: 'at most 40 characters',
  OIDC_SIGN_UP: 'true or false',
  RESET_PASSWORD_OF: 'the e-mail address of an account',
  TRUST_PROXY: 'a whole number from 0 to 10: the number of proxies in front of this server',
  SECRET: 'at least 32 characters',
  SMTP_URL: 'an smtp:// or smtps:// address, such as smtps://user:password@mail.example.org',
  MAIL_FROM: 'an address such as Copydesk <copydesk@example.org>',
  AGENT_PROVIDER: providerNames.join(', ').replace(/, (?=\w+$)/, ' or '),
  AGENT_MAX_ROUNDS: 'a whole number from 1 to 100',
  AGENT_TEMPERATURE: 'a number from 0 to 2',
  AGENT_MAX_OUTPUT_TOKENS: 'a whole number from 1',
  AGENT_CONTEXT_TOKENS: 'a whole number from 16000',
  AGENT_RUN_TIMEOUT_MS: 'a whole number from 1 (milliseconds)',
  AGENT_RUN_TOKEN_LIMIT: 'a whole number from 1',
  AGENT_DAILY_TOKEN_LIMIT: 'a whole number from 1',
  TOOL_LIMITS: `JSON such as {"searchMatches": 50}, with whole numbers from 1 for ${limitNames.join(', ')}`,
  QUOTAS: `JSON such as {"documentsPerPerson": 500}, with whole numbers from 0 for ${quotaNames.join(', ')}`,
  HISTORY_DAYS: 'a whole number from 1 (days); unset: history is kept forever',
  TRASH_DAYS: 'a whole number from 0 to 36500 (days); 0: the trash is kept forever',
  KEEP_OPEN_SECONDS: 'a whole number from 0 to 86400',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent',
  TOOL_SERVERS:
    'JSON such as {"files": {"command": "npx", "args": ["-y", "a-package"]}}, with names of small letters, digits and hyphens',
  ALLOW_PRIVATE_HOSTS: 'host names or IP addresses, separated by commas, such as wiki.internal,10.0.0.7',
}
const secretNames = [
  'SECRET',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'TAVILY_API_KEY',
  'TOOL_SERVERS',
  'UNSPLASH_ACCESS_KEY',
  ...services.map(({ variables }) => variables.apiKey),
]

/** The validated configuration of the server. */
export type Config = Omit<z.output<typeof Environment>, 'AUTH'> & {
  AUTH: 'open' | 'accounts'
  secret: string
  publicUrl: string
  services: Record<string, ServiceSettings>
  web: WebSettings
  toolServers: ToolServerCommands
}

/**
 * Reads the configuration from environment variables (empty ones count as unset).
 * @throws ConfigError on the first value that isn't allowed.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const read = <T>(variables: z.ZodType<T>): T => {
    const parsed = variables.safeParse(given)
    if (!parsed.success) throw new ConfigError(describe(parsed.error.issues[0], given))
    return parsed.data
  }
  const config = read(Environment)
  const settings = { services: read(ServiceVariables), web: read(WebVariables), toolServers: read(ToolServerVariables) }
  const AUTH = config.AUTH ?? (loopback.includes(config.HOST) ? 'open' : 'accounts')
  const conflict = findConflict({ ...config, AUTH })
  if (conflict !== undefined) throw new ConfigError(conflict)
  const directory = resolve(config.DATA_DIR)
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST
  const publicUrl = new URL(config.PUBLIC_URL ?? `http://${host}:${config.PORT}`).origin
  return {
    ...config,
    AUTH,
    DATA_DIR: directory,
    PROJECT_DIR: config.PROJECT_DIR && projectFolder(config.PROJECT_DIR, directory),
    secret: config.SECRET ?? storedSecret(directory),
    publicUrl,
    ...settings,
  }
}

/**
 * Whether the server has no accounts and only its own machine reaches it, so that its user is the operator. A server
 * with a public address, or behind a proxy, has others.
 */
export function isOnOwnMachine({ AUTH, HOST, TRUST_PROXY, publicUrl }: Config): boolean {
  const isLocal = loopback.includes(HOST) && loopback.includes(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''))
  return AUTH === 'open' && isLocal && TRUST_PROXY === 0
}

/** The folder of the project: it exists, and isn't part of the server's own data. */
function projectFolder(given: string, dataFolder: string): string {
  const folder = resolve(given)
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (isFolder && !`${folder}${sep}`.startsWith(`${dataFolder}${sep}`)) return folder
  throw new ConfigError(
    `PROJECT_DIR is ${JSON.stringify(given)}. Allowed: a folder that exists and is not in DATA_DIR.`,
  )
}

/** The first conflict between values that are each valid alone. */
function findConflict({
  AUTH,
  HOST,
  ...config
}: Pick<Config, 'AUTH'> & z.output<typeof Environment>): string | undefined {
  if (AUTH === 'open' && !loopback.includes(HOST) && !config.AUTH_OPEN_ON_NETWORK) {
    return (
      `AUTH is open and HOST is ${HOST}: everybody who can reach it would be an editor. Allowed: AUTH=accounts, a HOST of ` +
      '127.0.0.1, localhost or ::1, or AUTH_OPEN_ON_NETWORK=true if that is what you want.'
    )
  }
  const oidc = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
  const missing = oidc.find((name) => config[name] === undefined)
  const isStarted = oidc.some((name) => config[name] !== undefined)
  if (isStarted && missing !== undefined) return `${missing} is not set. Allowed: all of ${oidc.join(', ')}, or none.`
  if (isStarted && AUTH === 'open') return 'OIDC_ISSUER is set and AUTH is open. Allowed: AUTH=accounts.'
  const [unset, set] = config.SMTP_URL === undefined ? ['SMTP_URL', 'MAIL_FROM'] : ['MAIL_FROM', 'SMTP_URL']
  if ((config.SMTP_URL === undefined) !== (config.MAIL_FROM === undefined))
    return `${set} is set and ${unset} is not. Allowed: both, or none.`
  return undefined
}

function describe(issue: z.core.$ZodIssue | undefined, given: Record<string, string | undefined>): string {
  const name = String(issue?.path[0] ?? 'the environment')
  const value = secretNames.includes(name) ? 'a value of the wrong form' : JSON.stringify(given[name])
  const rule = allowed[name as keyof typeof allowed] ?? (name.endsWith('_URL') ? 'an http(s) address' : issue?.message)
  return `${name} is ${value}. Allowed: ${rule}.`
}

function storedSecret(directory: string): string {
  const file = join(directory, 'secret')
  try {
    makePrivateFolder(directory)
    const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
    // A file truncated by a crash would make every token forgeable.
    if (known.length >= secretLength) return known
    const secret = randomBytes(32).toString('base64url')
    writeFileSync(`${file}.new`, `${secret}\n`, { mode: privateFile })
    renameSync(`${file}.new`, file)
    return secret
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR is ${JSON.stringify(directory)}, which can't be written to (${error instanceof Error ? error.message : ''}). ` +
        'Allowed: a folder that this user may create and write.',
    )
  }
}
