import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { until } from '@copydesk/testing'
import { startCopydesk } from '../support/copydesk.ts'

type Call = (method: string, path: string, body?: unknown, type?: string) => Promise<{ status: number; text: string }>

function caller(url: string, token: string): Call {
  return async (method, path, body, type = 'application/json') => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'text/html, application/json',
        authorization: `Bearer ${token}`,
        cookie: 'other=SECRET-cookie',
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  }
}

const password = 'SECRET-copper lantern walnut'

test('[BAD-68] no line of the log, at any level, has a token, key, code, password, address or search in it', async () => {
  const server = await startCopydesk({
    LOG_LEVEL: 'trace',
    AUTH: 'accounts',
    RESET_PASSWORD_OF: 'secret.nobody@example.org',
    OIDC_ISSUER: 'http://127.0.0.1:9/SECRET-nowhere',
    OIDC_CLIENT_ID: 'copydesk',
    OIDC_CLIENT_SECRET: 'SECRET-of-the-client',
  })
  try {
    const { url } = server
    await until(() => server.output().includes('Make the first account'), 'the set-up link is printed')
    const setUp = /Make the first account at (\S+)/.exec(server.output())?.[1]?.split('#')[1] ?? ''
    const nobody = caller(url, 'SECRET-wrong-token')
    const ana = { email: 'secret.ana@example.org', password }
    const signedUp = await nobody('POST', '/api/auth/sign-up', { token: setUp, name: 'Ana', ...ana })
    const { token } = JSON.parse(signedUp.text) as { token: string }
    const call = caller(url, token)
    const { id } = JSON.parse((await call('POST', '/api/documents', { markdown: 'SECRET-text' })).text) as {
      id: string
    }
    const link = await call('POST', `/api/documents/${id}/links`, { role: 'viewer' })
    const share = (JSON.parse(link.text) as { url: string }).url.split('/s/')[1] ?? ''
    const key = await call('POST', '/api/auth/keys', { name: 'Key', scope: 'read' })
    const invitation = await call('POST', '/api/auth/invitations', { email: 'secret.ben@example.org' })
    const invited = (JSON.parse(invitation.text) as { url: string }).url.split('#')[1] ?? ''
    const apiKey = (JSON.parse(key.text) as { key: string }).key
    const documents = `/api/documents/${id}`
    const tried: [string, string, unknown?, string?][] = [
      ['GET', `/s/${share}`],
      ['HEAD', `/s/${share}`],
      ['POST', `/s/${share}`, {}],
      ['GET', `/api/links/${share}`],
      ['GET', `/api/links/${share}?more=SECRET-query`],
      ['POST', `/api/links/${share}`, { name: 'Gus' }],
      ['GET', `/api/links/${'SECRET-'.repeat(50)}`],
      ['GET', '/api/auth/oauth2/callback/oidc?code=SECRET-code&state=SECRET-state'],
      ['POST', '/api/auth/oidc', { returnTo: '/?x=SECRET-return' }],
      ['GET', '/api/documents?query=SECRET-search'],
      ['GET', '/api/people?query=SECRET-search'],
      ['GET', `/collab?document=${id}&client=SECRET-client`],
      ['POST', `${documents}/updates?client=SECRET-client`, 'SECRET', 'application/octet-stream'],
      ['POST', '/api/auth/sign-in', { ...ana, password: 'SECRET-wrong' }],
      ['POST', '/api/auth/sign-in', { email: 'secret.cleo@example.org', password }],
      ['POST', '/api/auth/sign-in', '{"password": "SECRET-broken'],
      ['POST', '/api/auth/links', { token: invited }],
      ['POST', '/api/auth/links', { token: 'SECRET.token' }],
      ['POST', '/api/auth/reset', { token: 'SECRET.token', password }],
      ['PATCH', '/api/auth/account', { email: 'secret.dora@example.org', password }],
      ['POST', '/api/auth/password', { current: 'SECRET-wrong', password }],
      ['PUT', `${documents}/members`, { members: [{ email: 'secret.eda@example.org', role: 'viewer' }] }],
      ['POST', `${documents}/images`, 'SECRET', 'multipart/form-data; boundary=SECRET-boundary'],
      ['POST', `${documents}/messages`, { text: 'SECRET-question' }],
      ['GET', '/api/nowhere/SECRET-path?x=SECRET-query'],
      ['GET', '/api/documents/%E0%A4%A?x=SECRET-query'],
      ['OPTIONS', '/SECRET-path?x=SECRET-query'],
      ['GET', `/${'SECRET-'.repeat(2000)}`],
    ]
    for (const each of tried) {
      await call(...each)
      await nobody(...each)
      await caller(url, apiKey)(...each)
    }
    for (const path of [`/collab?document=${id}&client=SECRET-client`, '/elsewhere?x=SECRET-query']) {
      const socket = new WebSocket(url.replace('http', 'ws') + path)
      let isOver = false
      socket.on('error', () => undefined)
      socket.on('open', () => socket.close())
      socket.on('close', () => (isOver = true))
      await until(() => isOver, 'the socket is closed')
    }
    const before = (server.output().match(/\/api\/me"/g) ?? []).length
    await call('GET', '/api/me')
    await until(() => (server.output().match(/\/api\/me"/g) ?? []).length > before, 'the last request is logged')
    const lines = server.output().split('\n')
    // The link is printed for the operator, who has no other way to sign in.
    const log = lines.filter((line) => !line.startsWith('Make the first account at')).join('\n')
    const secrets = [token, decodeURIComponent(token), share, apiKey, invited, setUp, invited.split('.')[1] ?? invited]
    const found = [...secrets, 'SECRET', 'secret.', 'example.org'].filter((secret) => log.includes(secret))
    expect(
      found,
      lines
        .filter((line) => found.some((secret) => line.includes(secret)))
        .slice(0, 5)
        .join('\n'),
    ).toEqual([])
    // Routes are logged, or the log would be of no use.
    expect(log).toContain('"route":"/api/links/:token"')
    expect(log).toContain('"route":"/api/documents/:id/members"')
  } finally {
    await server.dispose()
  }
})
