import { PersonName } from '@copydesk/protocol'
import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth'
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'

/** The library's id of the OIDC server; part of the redirect address registered at that server. */
export const oidcProvider = 'oidc'

const Discovery = z.object({
  issuer: z.string(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
})
type Discovery = z.infer<typeof Discovery>

const Claims = z.object({
  sub: z.string().min(1),
  email: z.email().optional(),
  email_verified: z.union([z.boolean(), z.literal('true').transform(() => true)]).catch(false),
  name: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
})
type Claims = z.infer<typeof Claims>

/** The configuration of the OIDC server; each field is undefined if none is configured. */
export type OidcSettings = {
  OIDC_ISSUER?: string | undefined
  OIDC_CLIENT_ID?: string | undefined
  OIDC_CLIENT_SECRET?: string | undefined
}

/**
 * The configuration of the OIDC server (OpenID Connect Core 1.0, authorization code with PKCE), undefined if none is
 * configured. `onConfirmed` is called for each person whose address that server has confirmed, before the library looks
 * up the person. The identity comes from the signed id token, verified against the server's keys, its issuer and our
 * client id.
 */
export function oidcConfig(
  config: OidcSettings,
  logger: FastifyBaseLogger,
  onConfirmed: (person: { subject: string; email: string }) => Promise<void>,
): GenericOAuthConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  const discoveryUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const findOut = createReader(discoveryUrl, issuer, clientId)
  return {
    providerId: oidcProvider,
    discoveryUrl,
    issuer,
    clientId,
    clientSecret,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    async getUserInfo({ idToken, accessToken }) {
      try {
        const claims = await findOut(idToken, accessToken)
        if (claims.email === undefined) return null
        const { sub: id, email, email_verified: emailVerified } = claims
        if (emailVerified) await onConfirmed({ subject: id, email })
        return { id, email, emailVerified, name: nameOf(claims) }
      } catch (error) {
        logger.warn({ err: error }, 'a response of the OIDC server could not be used')
        return null
      }
    },
  }
}

/** A name that is valid for people on this server. */
function nameOf({ name, preferred_username: handle, email }: Claims): string {
  const candidates = [name?.slice(0, 80), handle?.slice(0, 80), email?.split('@')[0]]
  for (const candidate of candidates) {
    const parsed = PersonName.safeParse(candidate)
    if (parsed.success) return parsed.data
  }
  return 'Unnamed'
}

function createReader(discoveryUrl: string, issuer: string, audience: string) {
  let known: { discovery: Discovery; keys: ReturnType<typeof createRemoteJWKSet> } | undefined
  const discover = async () => {
    if (known) return known
    const discovery = Discovery.parse(await fetchJson(discoveryUrl))
    if (discovery.issuer !== issuer)
      throw new Error(`OIDC_ISSUER is ${issuer}, but the server says ${discovery.issuer}`)
    return (known = { discovery, keys: createRemoteJWKSet(new URL(discovery.jwks_uri)) })
  }
  return async (idToken: string | undefined, accessToken: string | undefined): Promise<Claims> => {
    if (idToken === undefined) throw new errors.JWTInvalid('there is no id token')
    const { discovery, keys } = await discover()
    const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
    const { payload } = await jwtVerify(idToken, keys, { issuer, audience, algorithms, requiredClaims: ['exp', 'sub'] })
    const claims = Claims.parse(payload)
    if (claims.email !== undefined || discovery.userinfo_endpoint === undefined) return claims
    const more = await fetchJson(discovery.userinfo_endpoint, accessToken)
    // Section 5.3.2: user info with another `sub` must not be used.
    if ((more as JWTPayload).sub !== claims.sub) throw new Error('the user info is about another subject')
    return Claims.parse({ ...payload, ...(more as JWTPayload) })
  }
}

async function fetchJson(url: string, bearer?: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`${url} answered with ${response.status}`)
  return response.json()
}
