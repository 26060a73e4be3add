import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** A user whom the OIDC server knows. */
export type OidcPerson = { sub: string; email: string; email_verified?: boolean; name?: string }

/**
 * A server that implements OpenID Connect like real ones: discovery, authorization code with PKCE, keys, signed id
 * tokens.
 */
export type OidcServer = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The user who signs in next. */
  person: OidcPerson
  /** Makes the next responses invalid in this respect. */
  fault: 'none' | 'other-issuer' | 'other-audience' | 'other-key' | 'expired'
  close(): Promise<void>
}

type Grant = { person: OidcPerson; challenge: string; redirectUri: string }
type Keys = Awaited<ReturnType<typeof makeKeys>>

async function makeKeys() {
  const [{ publicKey, privateKey }, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  return { jwk, privateKey, otherKey: other.privateKey }
}

/** Starts an OIDC server on a free port. */
export async function startOidcServer(): Promise<OidcServer> {
  const keys = await makeKeys()
  const http = createServer((request, response) => {
    answer(server, keys, grants, request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const grants = new Map<string, Grant>()
  const server: OidcServer = {
    issuer: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    clientId: 'planner',
    clientSecret: randomBytes(16).toString('hex'),
    person: { sub: '1', email: 'nobody@example.org' },
    fault: 'none',
    close: () => new Promise((resolve) => http.close(() => resolve())),
  }
  return server
}

type Answer = { status: number; headers: Record<string, string>; body?: string }

function json(status: number, body: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

async function answer(
  server: OidcServer,
  keys: Keys,
  grants: Map<string, Grant>,
  request: IncomingMessage,
): Promise<Answer> {
  const { issuer } = server
  const url = new URL(request.url ?? '/', issuer)
  switch (url.pathname) {
    case '/.well-known/openid-configuration':
      return json(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    case '/keys':
      return json(200, { keys: [keys.jwk] })
    case '/authorize':
      return authorize(server, grants, url.searchParams)
    case '/token':
      return exchange(server, keys, grants, await readForm(request), request.headers.authorization)
    default:
      return json(404, {})
  }
}

function authorize(server: OidcServer, grants: Map<string, Grant>, query: URLSearchParams): Answer {
  const isRight =
    query.get('client_id') === server.clientId &&
    query.get('response_type') === 'code' &&
    query.get('code_challenge_method') === 'S256' &&
    (query.get('scope') ?? '').split(' ').includes('openid')
  if (!isRight) return json(400, { error: 'invalid_request' })
  const code = randomBytes(8).toString('hex')
  const redirectUri = query.get('redirect_uri') ?? ''
  grants.set(code, { person: server.person, challenge: query.get('code_challenge') ?? '', redirectUri })
  const back = new URL(redirectUri)
  back.search = new URLSearchParams({ code, state: query.get('state') ?? '', iss: server.issuer }).toString()
  return { status: 302, headers: { location: back.href } }
}

async function exchange(
  server: OidcServer,
  keys: Keys,
  grants: Map<string, Grant>,
  form: URLSearchParams,
  authorization = '',
): Promise<Answer> {
  const basic = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
  const secret = form.get('client_secret') ?? basic.split(':')[1]
  const code = form.get('code') ?? ''
  const verifier = form.get('code_verifier') ?? ''
  const grant = grants.get(code)
  grants.delete(code)
  const isRight =
    secret === server.clientSecret &&
    grant?.challenge === createHash('sha256').update(verifier).digest('base64url') &&
    grant.redirectUri === form.get('redirect_uri')
  if (!isRight) return json(400, { error: 'invalid_grant' })
  const token = await signToken(server, keys, grant.person)
  return json(200, { access_token: code, token_type: 'Bearer', expires_in: 300, id_token: token })
}

function signToken({ fault, issuer, clientId }: OidcServer, keys: Keys, { sub, ...claims }: OidcPerson) {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setSubject(sub)
    .setIssuer(fault === 'other-issuer' ? 'https://other.example.org' : issuer)
    .setAudience(fault === 'other-audience' ? 'other' : clientId)
    .setIssuedAt()
    .setExpirationTime(fault === 'expired' ? Math.floor(Date.now() / 1000) - 60 : '5m')
    .sign(fault === 'other-key' ? keys.otherKey : keys.privateKey)
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
