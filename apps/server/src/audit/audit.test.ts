import type {
  AuditEntry,
  AuditList,
  CreatedKey,
  DocumentSummary,
  NewShareLink,
  PostedMessage,
  Run,
  Version,
} from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { type AccountHolder, callAsNobody, signInAgain, startServerOfTwo } from '../testing/test-accounts.ts'
import type { TestServer } from '../testing/test-server.ts'
import { changeFile } from '../testing/test-store.ts'
import { toCsv, toJsonLines } from './audit.ts'

let server: TestServer
let ana: AccountHolder
let ben: AccountHolder

beforeAll(async () => {
  ;({ server, ana, ben } = await startServerOfTwo())
})
afterAll(() => server.dispose())

async function entries(query = ''): Promise<AuditEntry[]> {
  const { status, body } = await ana.call<AuditList>('GET', `/api/audit${query}`)
  expect(status).toBe(200)
  return body.entries
}

const actions = (list: readonly AuditEntry[]): string[] => list.map(({ action }) => action)

test('[AUDIT-1] sign-ins, refused sign-ins, keys, invitations, sessions', async () => {
  const again = await signInAgain(server.url, ben)
  const wrong = { email: ben.email, password: 'not the password' }
  expect((await callAsNobody(server.url)('POST', '/api/auth/sign-in', wrong)).status).toBe(401)
  const { body: key } = await again.call<CreatedKey>('POST', '/api/auth/keys', {
    name: 'Robot',
    scope: 'read',
    days: 3,
  })
  await again.call('DELETE', `/api/auth/keys/${key.id}`)
  await again.call('POST', '/api/auth/sign-out')
  const found = await entries()
  expect(actions(found)).toEqual([
    'sign-out',
    'key-revoked',
    'key-made',
    'sign-in-failed',
    'sign-in',
    'account-made',
    'invitation-made',
    'account-made',
  ])
  const [out, , made, failed, into] = found
  for (const entry of [out, made, into]) expect(entry?.actor).toEqual({ id: ben.user.id, name: 'Ben' })
  expect(failed).toMatchObject({ actor: null, target: ben.email, address: '127.0.0.1' })
  expect(made).toMatchObject({ target: key.id, details: { scope: 'read' } })
  // No credential is recorded.
  const text = JSON.stringify(found)
  for (const secret of [key.key, wrong.password, again.token]) expect(text).not.toContain(secret)
})

test('[AUDIT-2] roles, links, exports, runs, restores, the trash; and never what a document says', async () => {
  const { body: made } = await ben.call<DocumentSummary>('POST', '/api/documents', { markdown: 'Confidential words' })
  const path = `/api/documents/${made.id}`
  await ben.call('PUT', `${path}/members`, { members: [{ email: ana.email, role: 'editor' }] })
  const { body: link } = await ben.call<NewShareLink>('POST', `${path}/links`, { role: 'viewer' })
  await ben.call('DELETE', `${path}/links/${link.id}`)
  const exported = await fetch(`${server.url}${path}/export`, { headers: { authorization: `Bearer ${ben.token}` } })
  expect(await exported.text()).toContain('Confidential')
  const { body: version } = await ben.call<Version>('POST', `${path}/versions`, { name: 'Confidential name' })
  const asked = 'replace Confidential with Secret'
  const { body: posted } = await ben.call<PostedMessage>('POST', `${path}/messages`, { text: asked })
  await until(async () => {
    const { body } = await ben.call<Run>('GET', `${path}/runs/${posted.run.id}`)
    return body.endedAt !== undefined && body.endedAt !== null
  }, 'the run has ended')
  expect((await ben.call('POST', `${path}/versions/${version.id}/restore`)).status).toBe(200)
  await ben.call('DELETE', path)
  await ben.call('POST', `${path}/restore`)
  const found = await entries(`?document=${made.id}`)
  expect(actions(found)).toEqual([
    'document-restored',
    'document-trashed',
    'version-restored',
    'run-ended',
    'run-started',
    'document-exported',
    'link-revoked',
    'link-made',
    'roles-changed',
  ])
  expect(JSON.stringify(found)).not.toMatch(/Confidential|Secret/)
  const byAction = (action: string) => found.find((entry) => entry.action === action)
  expect(byAction('run-started')).toMatchObject({ actor: { name: 'Ben' }, target: posted.run.id })
  expect(byAction('run-ended')).toMatchObject({ actor: { name: 'Agent' }, details: { status: 'completed' } })
  expect(byAction('roles-changed')?.details).toEqual({ members: [{ email: ana.email, role: 'editor' }] })
  expect(byAction('link-made')).toMatchObject({ target: link.id, details: { role: 'viewer' } })
})

test('[AUDIT-3] nothing in it can be changed or deleted, not even past the server', async () => {
  await expect(changeFile(server.file, 'DELETE FROM audit')).rejects.toThrow('never changed')
  await expect(changeFile(server.file, "UPDATE audit SET actor = 'eve'")).rejects.toThrow('never changed')
})

test('[AUDIT-4] for operators only: filtered, in pages, and as a file, which is noted too', async () => {
  expect((await ben.call('GET', '/api/audit')).status).toBe(403)
  const mine = await entries(`?actor=${ana.user.id}`)
  expect(new Set(mine.map(({ actor }) => actor?.name))).toEqual(new Set(['Ana']))
  expect(actions(await entries('?action=key-made'))).toEqual(['key-made'])
  const first = (await entries()).at(-1)
  expect(await entries(`?to=${first?.at}`)).toEqual([])
  const later = new Date(Date.parse(first?.at ?? '') + 1).toISOString()
  expect((await entries(`?from=${later}`)).some(({ id }) => id === first?.id)).toBe(false)
  for (const format of ['csv', 'jsonl']) {
    const answer = await fetch(`${server.url}/api/audit?format=${format}&action=sign-in`, {
      headers: { authorization: `Bearer ${ana.token}` },
    })
    expect(answer.headers.get('content-disposition')).toContain(`audit.${format}`)
    expect(await answer.text()).toContain(ben.user.id)
  }
  expect(actions(await entries()).slice(0, 2)).toEqual(['audit-exported', 'audit-exported'])
  expect((await ana.call('GET', '/api/audit?cursor=x')).status).toBe(400)
})

test('[AUDIT-6] the list names what each entry was done to, also after its deletion; folders only to those who see them', async () => {
  const { body: open } = await ana.call<{ id: string }>('POST', '/api/folders', { name: 'Open to Ana' })
  const { body: closed } = await ben.call<{ id: string }>('POST', '/api/folders', { name: 'Closed to Ana' })
  const hook = { url: 'https://hooks.example.org/a-secret-path', events: ['run'], description: '' }
  const { body: webhook } = await ana.call<{ id: string }>('POST', '/api/webhooks', hook)
  await ana.call('DELETE', `/api/webhooks/${webhook.id}`)
  const { body: key } = await ana.call<CreatedKey>('POST', '/api/auth/keys', { name: 'Backup', scope: 'read' })
  await ana.call('DELETE', `/api/auth/keys/${key.id}`)
  await ana.call('POST', `/api/auth/people/${ben.user.id}/reset`)
  const { body } = await ana.call<AuditList>('GET', '/api/audit')
  const named = ({ target }: AuditEntry) => body.names[target ?? '']
  expect(body.entries.slice(0, 7).map((entry) => [entry.action, named(entry)])).toEqual([
    ['reset-made', 'Ben'],
    ['key-revoked', 'Backup'],
    ['key-made', 'Backup'],
    ['webhook-deleted', 'hooks.example.org'],
    ['webhook-made', 'hooks.example.org'],
    ['folder-made', undefined],
    ['folder-made', 'Open to Ana'],
  ])
  expect(body.names[open.id]).toBe('Open to Ana')
  expect(JSON.stringify(body)).not.toMatch(/Closed to Ana|a-secret-path/)
  expect(body.entries.some(({ target }) => target === closed.id)).toBe(true)
})

test('[AUDIT-5] in a spreadsheet nothing of it is calculated', async () => {
  const names = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', 'plain "quoted", name']
  async function* given(): AsyncIterable<AuditEntry> {
    for (const name of names) {
      yield {
        id: name,
        at: new Date(0).toISOString(),
        actor: { id: 'a', name },
        action: 'sign-in',
        document: null,
        target: null,
        address: null,
        details: null,
      }
    }
  }
  const lines: string[] = []
  for await (const line of toCsv(given())) lines.push(line)
  const cells = lines.slice(1).map((line) => line.split('","')[2] ?? '')
  for (const cell of cells.slice(0, -1)) expect(cell).toMatch(/^'/)
  expect(lines.at(-1)).toContain('"plain ""quoted"", name"')
  const json: AuditEntry[] = []
  for await (const line of toJsonLines(given())) json.push(JSON.parse(line) as AuditEntry)
  expect(json.map(({ id }) => id)).toEqual(names)
})
