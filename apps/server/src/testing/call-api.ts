import type { ErrorBody } from '@copydesk/protocol'

/** A response of the API: its status and its body, whose type the test knows. */
export type Answer<T> = { status: number; body: T & ErrorBody }

/** Calls routes under one document's path as one user. */
export type ApiCaller = <T>(method: string, path: string, body?: unknown) => Promise<Answer<T>>

/**
 * A caller for `/api/documents/<document>` with this token, and more headers; a path that begins with `/api` is used
 * unchanged.
 */
export function callApi(url: string, token: string, document: string, more: Record<string, string> = {}): ApiCaller {
  return async <T>(method: string, path: string, body?: unknown): Promise<Answer<T>> => {
    const address = path.startsWith('/api') ? path : `/api/documents/${document}${path}`
    const headers: Record<string, string> = { authorization: `Bearer ${token}`, ...more }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const response = await fetch(url + address, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as T & ErrorBody }
  }
}
