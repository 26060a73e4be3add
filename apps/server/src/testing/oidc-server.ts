import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** Somebody whom the OIDC server knows. */
export type OidcPerson = { sub: string; email: string; email_verified?: boolean; name?: string }

/** A server that speaks OpenID Connect as real ones do: discovery, authorization code with PKCE, keys, signed id tokens. */
export type OidcServer = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who signs in next. */
  person: OidcPerson
  /** Makes the next answers wrong in one way. */
  fault: 'none' | 'other-issuer' | 'other-audience' | 'other-key' | 'expired'
  close(): Promise<void>
}

type Grant = { person: OidcPerson; challenge: string; redirectUri: string }

/** Starts one on a free port. */
export async function startOidcServer(): Promise<OidcServer> {
  const [{ publicKey, privateKey }, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const grants = new Map<string, Grant>()
  const http = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const server: OidcServer = {
    issuer,
    clientId: 'desk',
    clientSecret: randomBytes(16).toString('hex'),
    person: { sub: '1', email: 'nobody@example.org' },
    fault: 'none',
    close: () => new Promise((resolve) => http.close(() => resolve())),
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', issuer)
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return void json(200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        })
      case '/keys':
        return void json(200, { keys: [jwk] })
      case '/authorize': {
        const query = url.searchParams
        const isRight =
          query.get('client_id') === server.clientId &&
          query.get('response_type') === 'code' &&
          query.get('code_challenge_method') === 'S256' &&
          (query.get('scope') ?? '').split(' ').includes('openid')
        if (!isRight) return void json(400, { error: 'invalid_request' })
        const code = randomBytes(8).toString('hex')
        const redirectUri = query.get('redirect_uri') ?? ''
        grants.set(code, { person: server.person, challenge: query.get('code_challenge') ?? '', redirectUri })
        const back = new URL(redirectUri)
        back.search = new URLSearchParams({ code, state: query.get('state') ?? '', iss: issuer }).toString()
        return void response.writeHead(302, { location: back.href }).end()
      }
      case '/token':
        return void json(...(await exchange(await readForm(request), request.headers.authorization)))
      default:
        return void json(404, {})
    }
  }

  const exchange = async (form: URLSearchParams, authorization = ''): Promise<[number, unknown]> => {
    const basic = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
    const secret = form.get('client_secret') ?? basic.split(':')[1]
    const grant = grants.get(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      secret === server.clientSecret &&
      grant?.challenge === challenge &&
      grant.redirectUri === form.get('redirect_uri') &&
      grants.delete(form.get('code') ?? '')
    if (!isRight) return [400, { error: 'invalid_grant' }]
    const { fault } = server
    const { sub, ...claims } = grant.person
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setSubject(sub)
      .setIssuer(fault === 'other-issuer' ? 'https://other.example.org' : issuer)
      .setAudience(fault === 'other-audience' ? 'other' : server.clientId)
      .setIssuedAt()
      .setExpirationTime(fault === 'expired' ? Math.floor(Date.now() / 1000) - 60 : '5m')
      .sign(fault === 'other-key' ? other.privateKey : privateKey)
    return [
      200,
      { access_token: randomBytes(8).toString('hex'), token_type: 'Bearer', expires_in: 300, id_token: token },
    ]
  }
  return server
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
