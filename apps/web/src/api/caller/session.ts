import type { AuthOptions, Me, Session } from '@copydesk/protocol'
import { currentWording } from '../../i18n/language.ts'
import { ApiError, loadShapes, request } from '../client.ts'

/** The caller and the server's features; null without a session. */
export async function fetchMe(signal?: AbortSignal): Promise<Me | null> {
  try {
    const me = await request('/me', async () => (await loadShapes()).Me, signal ? { signal } : {})
    noteLanguage(me)
    return me
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') return null
    throw error
  }
}

/** Mails, and answers to requests without a detectable language, use the caller's last language of the interface. */
function noteLanguage({ language }: Me): void {
  const used = currentWording().language
  if (language === undefined || language === used) return
  void import('./account.ts').then(({ patchMe }) => patchMe({ language: used })).catch(() => undefined)
}

/**
 * The caller; if the server is unreachable, the last caller in this browser, so that a page can show content that the
 * browser stores for them; null without a session, which also deletes the stored caller.
 */
export async function fetchOrReadStoredMe(signal?: AbortSignal): Promise<Me | null> {
  const storage = import('./stored-me.ts')
  try {
    const me = await fetchMe(signal)
    void storage.then(({ storeMe }) => storeMe(me)).catch(() => undefined)
    return me
  } catch (error) {
    const isUnreachable = error instanceof ApiError && (error.code === 'unreachable' || error.code === 'unavailable')
    const kept = isUnreachable
      ? await storage.then(({ readStoredMe }) => readStoredMe()).catch(() => undefined)
      : undefined
    if (kept) return kept
    throw error
  }
}

/** Opens a session under this name; the server answers with a cookie that later requests and sockets send. */
export function createSession(name: string): Promise<Session> {
  return request('/session', async () => (await loadShapes()).Session, { method: 'POST', body: { name } })
}

/** The ways to sign in on this server. */
export function fetchAuthOptions(signal: AbortSignal): Promise<AuthOptions> {
  return request('/auth', async () => (await loadShapes()).AuthOptions, { signal })
}
