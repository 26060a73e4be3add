import type { FastifyReply } from 'fastify'
import { SESSION_COOKIE } from '../auth/callers.ts'
import type { ApiDeps } from './context.ts'

/** Hands a browser one of the server's own tokens, in the cookie that no script can read and no other site sends. */
export function setSessionCookie(
  reply: FastifyReply,
  deps: Pick<ApiDeps, 'publicUrl'>,
  token: string,
  maxAge: number,
): void {
  setCookie(reply, deps, SESSION_COOKIE, token, maxAge)
}

/** Sets a cookie that no script can read and no other site sends, for so many seconds. */
export function setCookie(
  reply: FastifyReply,
  { publicUrl }: Pick<ApiDeps, 'publicUrl'>,
  name: string,
  value: string,
  maxAge: number,
): void {
  const secure = publicUrl.startsWith('https:')
  reply.setCookie(name, value, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge })
}
