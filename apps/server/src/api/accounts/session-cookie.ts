import type { FastifyReply } from 'fastify'
import { SESSION_COOKIE } from '../../auth/callers.ts'
import type { ApiDeps } from '../requests/context.ts'

/** Sets the session cookie to one of the server's own tokens: not readable by scripts, not sent by other sites. */
export function setSessionCookie(
  reply: FastifyReply,
  deps: Pick<ApiDeps, 'publicUrl'>,
  token: string,
  maxAge: number,
): void {
  setCookie(reply, deps, SESSION_COOKIE, token, maxAge)
}

/** Sets a cookie that scripts can't read and other sites don't send, with a lifetime in seconds. */
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
