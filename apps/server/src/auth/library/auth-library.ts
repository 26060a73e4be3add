import { createHmac } from 'node:crypto'
import { apiKey } from '@better-auth/api-key'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Tables } from '../../store/tables.ts'
import { createAuthAdapter } from './auth-adapter.ts'
import { SESSION_COOKIE } from '../callers.ts'

/**
 * The header with the client address for the library. Our code sets it; the library would trust any header set by a
 * client.
 */
export const addressHeader = 'x-copydesk-address'

/** The prefix of every API key: it separates keys from other tokens and makes leaked keys searchable. */
export const keyPrefix = 'cdk_'

const day = 24 * 60 * 60

export type AuthLibraryDeps = {
  db: Kysely<Tables>
  secret: string
  publicUrl: string
  createId: () => string
  logger: FastifyBaseLogger
  oidc: GenericOAuthConfig | undefined
  /** Called on the first OIDC sign-in of a person: the columns of their new row, or the code of the refusal. */
  admit: (newcomer: { email: string; isConfirmed: boolean }) => Promise<{ color: string } | { refused: string }>
  /** Whether a person's account is closed. */
  isClosed: (person: string) => Promise<boolean>
}

/** better-auth on our own store. Its routes are not served; our routes call its API. */
export type AuthLibrary = ReturnType<typeof createAuthLibrary>

/** Builds the library. Its user is a row of `people`; its other tables come from migration 0010. */
export function createAuthLibrary(deps: AuthLibraryDeps) {
  const { logger } = deps
  return betterAuth({
    ...authSchema,
    appName: 'Copydesk',
    baseURL: deps.publicUrl,
    basePath: '/api/auth',
    // Separate from the key of our own tokens, so that neither kind is valid as the other.
    secret: createHmac('sha256', deps.secret).update('accounts').digest('base64url'),
    database: createAuthAdapter(deps.db),
    // The library's warnings concern wrong passwords, which the response already reports.
    logger: {
      log(level, message, ...more: unknown[]) {
        const err = more.find((one) => one instanceof Error)
        logger[level === 'error' ? 'warn' : 'debug']({ from: 'better-auth', err }, message)
      },
    },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 1, maxPasswordLength: 1000 },
    session: { ...authSchema.session, expiresIn: 30 * day, updateAge: 10 * 60, freshAge: 0 },
    account: {
      ...authSchema.account,
      updateAccountOnSignIn: false,
      // A signed-in person may connect an account with another address; unconfirmed addresses never connect accounts.
      accountLinking: { enabled: true, allowDifferentEmails: true, requireLocalEmailVerified: true },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    onAPIError: { errorURL: '/sign-in' },
    advanced: {
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure: deps.publicUrl.startsWith('https:') },
      cookiePrefix: 'copydesk',
      cookies: { session_token: { name: SESSION_COOKIE } },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: deps.createId },
    },
    databaseHooks: databaseHooks(deps),
    plugins: [keys(), genericOAuth({ config: deps.oidc ? [deps.oidc] : [] })],
  })
}

function databaseHooks({ admit, isClosed }: AuthLibraryDeps): BetterAuthOptions['databaseHooks'] {
  return {
    user: {
      create: {
        async before({ email, emailVerified }) {
          const admitted = await admit({ email, isConfirmed: emailVerified })
          if ('refused' in admitted) throw new APIError('FORBIDDEN', { message: admitted.refused })
          return { data: admitted }
        },
      },
    },
    // The OIDC server is not called again later, so its tokens are not stored.
    account: {
      create: {
        async before() {
          return { data: { accessToken: null, refreshToken: null, idToken: null } }
        },
      },
    },
    session: {
      create: {
        async before({ userId }) {
          if (await isClosed(userId)) return false
          return undefined
        },
      },
    },
  }
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

const authSchema = {
  user: {
    modelName: 'people',
    fields: { emailVerified: 'email_verified', ...times },
    additionalFields: {
      // `admit` sets the colour; it isn't user input.
      color: { type: 'string', required: false, input: false },
      operator: { type: 'boolean', required: false, input: false },
      deactivatedAt: { type: 'date', required: false, input: false, fieldName: 'deactivated_at' },
    },
  },
  session: {
    modelName: 'auth_sessions',
    fields: { userId: 'person', expiresAt: 'expires_at', ipAddress: 'address', userAgent: 'user_agent', ...times },
  },
  account: {
    modelName: 'auth_accounts',
    fields: {
      userId: 'person',
      accountId: 'account',
      providerId: 'provider',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...times,
    },
  },
  verification: { modelName: 'auth_verifications', fields: { expiresAt: 'expires_at', ...times } },
} satisfies BetterAuthOptions

function keys() {
  return apiKey({
    defaultPrefix: keyPrefix,
    requireName: true,
    maximumNameLength: 80,
    // Shows only four characters of the random part, too few to guess the rest.
    startingCharactersConfig: { charactersLength: keyPrefix.length + 4 },
    rateLimit: { enabled: false },
    schema: {
      apikey: {
        modelName: 'api_keys',
        fields: {
          configId: 'config',
          referenceId: 'person',
          refillInterval: 'refill_interval',
          refillAmount: 'refill_amount',
          lastRefillAt: 'last_refill_at',
          rateLimitEnabled: 'rate_limit_enabled',
          rateLimitTimeWindow: 'rate_limit_time_window',
          rateLimitMax: 'rate_limit_max',
          requestCount: 'request_count',
          lastRequest: 'last_request',
          expiresAt: 'expires_at',
          ...times,
        },
      },
    },
  })
}
