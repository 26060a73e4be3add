import type { FastifyReply } from 'fastify'
import type { ApiDeps } from '../requests/context.ts'

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
