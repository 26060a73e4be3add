import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'copydesk-config-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function read(environment: Record<string, string>) {
  return readConfig({ DATA_DIR: directory, ...environment })
}

function complaint(environment: Record<string, string>): string {
  try {
    read(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

const bad: Record<string, string> = {
  PORT: '99999',
  ROLE: 'web',
  DATABASE_URL: 'postgres://localhost',
  REDIS_URL: 'redis://localhost',
  PUBLIC_URL: 'example.org',
  AUTH: 'closed',
  AUTH_OPEN_ON_NETWORK: 'maybe',
  OIDC_ISSUER: 'nowhere',
  OIDC_SIGN_UP: 'perhaps',
  RESET_PASSWORD_OF: 'ana',
  TRUST_PROXY: 'all',
  AGENT_PROVIDER: 'other',
  ANTHROPIC_BASE_URL: 'nowhere',
  OPENAI_BASE_URL: 'nowhere',
  GOOGLE_GEMINI_BASE_URL: 'nowhere',
  AGENT_MAX_ROUNDS: '0',
  AGENT_TEMPERATURE: 'warm',
  AGENT_MAX_OUTPUT_TOKENS: '-1',
  AGENT_RUN_TIMEOUT_MS: '1.5',
  AGENT_RUN_TOKEN_LIMIT: 'many',
  AGENT_DAILY_TOKEN_LIMIT: '0',
  AGENT_CONTEXT_TOKENS: '15999',
  PROJECT_DIR: '/no/such/folder',
  LOG_LEVEL: 'loud',
  TAVILY_BASE_URL: 'nowhere',
  SEARXNG_URL: 'file:///etc',
  UNSPLASH_BASE_URL: 'nowhere',
  ALLOW_PRIVATE_HOSTS: 'http://wiki.internal',
}

test.for(Object.entries(bad))(
  '[CONF-1] %s=%s is refused in one line with name, value and what is allowed',
  ([name, value]) => {
    const message = complaint({ [name]: value })
    expect(message.startsWith(`${name} is "${value}". Allowed: `)).toBe(true)
    expect(message).not.toContain('\n')
    expect(message).not.toMatch(/undefined|Invalid input/)
  },
)

test('[CONF-2] a secret is never printed', () => {
  const message = complaint({ SECRET: 'hunter2' })
  expect(message).toBe('SECRET is a value of the wrong form. Allowed: at least 32 characters.')
})

test('[CONF-3] empty variables count as unset, and the defaults are those of the contract', () => {
  const names = [...Object.keys(bad), 'HOST', 'SECRET', 'ANTHROPIC_API_KEY']
  const config = read(Object.fromEntries(names.map((name) => [name, ''])))
  expect(config).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 3000,
    ROLE: 'all',
    AGENT_PROVIDER: 'auto',
  })
  // Undefined, so that the operators' settings decide.
  expect(config.AGENT_MAX_ROUNDS).toBeUndefined()
  expect(config).toMatchObject({
    AGENT_RUN_TIMEOUT_MS: 300_000,
    AGENT_RUN_TOKEN_LIMIT: 200_000,
    publicUrl: 'http://127.0.0.1:3000',
  })
})

test('[CONF-4] where others reach the server they have accounts, or it needs a word', () => {
  expect(read({}).AUTH).toBe('open')
  for (const host of ['localhost', '::1']) expect(read({ HOST: host }).AUTH).toBe('open')
  expect(read({ HOST: '0.0.0.0' }).AUTH).toBe('accounts')
  expect(read({ AUTH: 'accounts' }).AUTH).toBe('accounts')
  expect(complaint({ HOST: '0.0.0.0', AUTH: 'open' })).toMatch(/^AUTH is open and HOST is 0\.0\.0\.0.*ON_NETWORK=true/)
  expect(read({ HOST: '0.0.0.0', AUTH: 'open', AUTH_OPEN_ON_NETWORK: 'true' }).AUTH).toBe('open')
})

test('[CONF-4] another server to sign in at is named whole, and only where there are accounts', () => {
  const oidc = { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'desk', OIDC_CLIENT_SECRET: 'hush' }
  expect(complaint({ ...oidc, AUTH: 'accounts' })).toBe('')
  expect(complaint(oidc)).toMatch(/^OIDC_ISSUER is set and AUTH is open\. Allowed: AUTH=accounts\.$/)
  expect(complaint({ OIDC_ISSUER: oidc.OIDC_ISSUER, AUTH: 'accounts' })).toMatch(
    /^OIDC_CLIENT_ID is not set\. Allowed: /,
  )
})

test('[CONF-5] the generated secret is kept, for this user only', () => {
  const { secret } = read({})
  expect(secret.length).toBeGreaterThanOrEqual(32)
  expect(read({}).secret).toBe(secret)
  const file = join(directory, 'secret')
  expect(readFileSync(file, 'utf8').trim()).toBe(secret)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(read({ SECRET: 's'.repeat(32) }).secret).toBe('s'.repeat(32))
})

test('[CONF-6] a folder that can’t be made is refused in one line', () => {
  const file = join(directory, 'a-file')
  writeFileSync(file, '')
  expect(complaint({ DATA_DIR: join(file, 'below') })).toMatch(/^DATA_DIR is ".*Allowed: a folder/)
})

test.each(['{"searchMatches": 0}', '{"searchMatches": "5"}', '{"unknown": 5}', '[]', 'many', '{'])(
  '[CONF-7] TOOL_LIMITS=%s is refused in one line that names the limits',
  (value) => {
    const message = complaint({ TOOL_LIMITS: value })
    expect(message.startsWith(`TOOL_LIMITS is ${JSON.stringify(value)}. Allowed: JSON such as`)).toBe(true)
    expect(message).toContain('readCharacters')
    expect(message).not.toContain('\n')
  },
)

test('[CONF-7] TOOL_LIMITS overrides single limits of the tools', () => {
  expect(read({ TOOL_LIMITS: '{"searchMatches": 5}' }).TOOL_LIMITS).toEqual({ searchMatches: 5 })
  expect(read({}).TOOL_LIMITS).toEqual({})
})

test('[CONF-8] PROJECT_DIR is a folder that exists and is not in DATA_DIR', () => {
  const project = mkdtempSync(join(tmpdir(), 'copydesk-project-'))
  expect(read({ PROJECT_DIR: project }).PROJECT_DIR).toBe(project)
  rmSync(project, { recursive: true })
  for (const folder of [project, directory, join(directory, 'secret')]) {
    expect(complaint({ PROJECT_DIR: folder })).toMatch(
      /^PROJECT_DIR is ".*"\. Allowed: a folder that exists and is not in/,
    )
  }
  expect(read({}).PROJECT_DIR).toBeUndefined()
})

test.each(['{"imageMiBPerLink": -1}', '{"imageMiBPerLink": 1.5}', '{"unknown": 5}', '[]', 'many', '{'])(
  '[QUOTA-13] QUOTAS=%s is refused in one line that names the quotas',
  (value) => {
    const message = complaint({ QUOTAS: value })
    expect(message.startsWith(`QUOTAS is ${JSON.stringify(value)}. Allowed: JSON such as`)).toBe(true)
    expect(message).toContain('logMiBPerPersonAndDay')
    expect(message).not.toContain('\n')
  },
)

test('[QUOTA-13] QUOTAS changes single quotas', () => {
  expect(read({ QUOTAS: '{"imageMiBPerLink": 0}' }).QUOTAS).toEqual({ imageMiBPerLink: 0 })
  expect(read({}).QUOTAS).toEqual({})
})
