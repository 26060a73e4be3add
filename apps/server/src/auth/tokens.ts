import { jwtVerify, SignJWT } from 'jose'
import type { AgentIdentity } from '../common/identity.ts'

/**
 * The subject of a bearer token: a person, a guest, or one run of the agent at one lease epoch, which may open exactly
 * one document.
 */
export type TokenSubject =
  | { kind: 'person'; id: string }
  /** A person without an account, who joined by a share link: `link` is the id of their first link. */
  | { kind: 'guest'; id: string; link?: string }
  | { kind: 'run'; run: string; epoch: number; document: string; invokedBy: string; agent?: AgentIdentity }

/** Issues and verifies the bearer tokens of people and runs: JWTs signed with HMAC-SHA-256 (RFC 7519, RFC 7518). */
export type Tokens = {
  issue(subject: TokenSubject): Promise<string>
  /** `undefined` for anything that isn't a valid, unexpired token of this server. */
  verify(token: string): Promise<TokenSubject | undefined>
}

const lifetime = { person: '365d', guest: '90d', run: '2d' } as const

/** Creates and verifies tokens signed with `secret`; a token signed with another secret is invalid. */
export function createTokens(secret: string): Tokens {
  const key = new TextEncoder().encode(secret)
  return {
    issue(subject) {
      return new SignJWT({ subject })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt()
        .setExpirationTime(lifetime[subject.kind])
        .sign(key)
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify<{ subject?: TokenSubject }>(token, key, { algorithms: ['HS256'] })
        return payload.subject
      } catch {
        return undefined
      }
    },
  }
}
