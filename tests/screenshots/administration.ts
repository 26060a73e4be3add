import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { APIRequestContext } from '@playwright/test'
import { type Listening, listenLocally, until } from '@copydesk/testing'

/** What a server must allow so that the pages of operators have something to show: small quotas, local receivers. */
export const administrationEnv = {
  ALLOW_PRIVATE_HOSTS: '127.0.0.1',
  QUOTAS: JSON.stringify({
    databaseMiBOfServer: 25,
    documentsOfServer: 60,
    documentsPerPerson: 40,
    imageMiBOfServer: 60,
    imageMiBPerDocument: 10,
    imageMiBPerPerson: 30,
    logMiBPerDocument: 4,
    logMiBPerPersonAndDay: 10,
  }),
}

// A quarter of these have images, in MiB.
const titles: readonly [title: string, images?: number][] = [
  ['Annual report 2026', 9.3],
  ['Catalogue of the photo collection', 6.4],
  ['Children’s programme, autumn'],
  ['Contract with the binders'],
  ['Donations, and what became of them'],
  ['Exhibition: two hundred years of harbour maps, sea charts and pilot books from the cellar', 4.8],
  ['Fire drill'],
  ['How we lend lamps'],
  ['Interlibrary loans'],
  ['Keys and alarm codes: who has which'],
  ['Letters to the council'],
  ['Minutes of the staff meeting, October'],
  ['Minutes of the staff meeting, November'],
  ['New readers’ cards', 1.2],
  ['Plan of the gallery', 3.6],
  ['Readings in winter'],
  ['Shelving guide', 0.4],
]

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A PNG of one pixel, made larger by what follows its end. */
function imageOf(mebibytes: number): Buffer {
  return Buffer.concat([Buffer.from(pixel, 'base64'), randomBytes(Math.round(mebibytes * 1024 * 1024))])
}

/** Receives what webhooks send: takes what comes to `/search-index`, and refuses everything else. */
export function startReceiver(): Promise<Listening> {
  return listenLocally(
    createServer((request, response) => {
      request.resume()
      response.writeHead(request.url === '/search-index' ? 204 : 503).end()
    }),
  )
}

/**
 * Fills the pages of operators: documents in folders, with images and long texts, and three webhooks, of which one
 * works, one fails and one is switched off. `receiver` is the origin that they call.
 */
export async function fillAdministration(
  operator: APIRequestContext,
  member: APIRequestContext,
  receiver: string,
): Promise<void> {
  const search = await webhook(operator, `${receiver}/search-index`, 'Search of the intranet', [
    'doc_update',
    'version',
  ])
  const chat = await webhook(operator, `${receiver}/hooks/T02AB/B9QK`, 'Chat of the staff', [
    'thread',
    'message',
    'run',
  ])
  await webhook(
    operator,
    'https://example.org/backup',
    '',
    ['run', 'doc_update', 'thread', 'message', 'version'],
    false,
  )
  const folders = await Promise.all(['Staff', 'Public'].map((name) => made(operator, '/api/folders', { name })))
  for (const [index, [title, images]] of titles.entries()) {
    const text = `# ${title}\n\n${'The friends of the library met in the small hall, and seven came. '.repeat(20 * index ** 2)}`
    const author = index % 5 === 3 ? member : operator
    const folder = author === operator ? folders[index % 3]?.id : undefined
    const { id } = await made(author, '/api/documents', { title, markdown: text, ...(folder ? { folder } : {}) })
    if (images) await addImage(author, id, images)
    if (index % 4 === 0) await author.post(`/api/documents/${id}/versions`, { data: { name: 'Sent to the council' } })
  }
  await fillAgents(operator, member)
  for (const { id } of [search, chat]) {
    await operator.post(`/api/webhooks/${id}/test`)
    await until(async () => {
      const { deliveries } = (await (await operator.get(`/api/webhooks/${id}/deliveries`)).json()) as Deliveries
      return deliveries.some(({ event, state }) => event === 'test' && state !== 'pending')
    }, 'a test event is sent')
  }
}

/** Keys, agents with triggers, a tool server that can't be reached, a budget, and a mention of the operator. */
async function fillAgents(operator: APIRequestContext, member: APIRequestContext): Promise<void> {
  for (const [name, scope, days] of [
    ['Claude Code on the laptop', 'write', 90],
    ['Backup at night', 'read', undefined],
  ] as const)
    await made(operator, '/api/auth/keys', { name, scope, ...(days === undefined ? {} : { days }) })
  const { id: minutes } = await made(operator, '/api/documents', { title: 'Week of the library', markdown: '# Week' })
  const zone = 'Europe/Lisbon'
  const instruction = 'Add what was decided since the last week.'
  await made(operator, '/api/agents', {
    handle: 'chronicler',
    name: 'Chronicler',
    color: '#0f766e',
    description: 'Writes down what happened in the week.',
    triggers: [{ kind: 'schedule', document: minutes, cron: '0 9 * * 1', zone, instruction }],
  })
  await made(operator, '/api/agents', { handle: 'proofreader', name: 'Proofreader', color: '#5b43a8', enabled: false })
  const address = { name: 'catalogue', url: 'http://127.0.0.1:9/mcp' }
  await operator.post('/api/tool-servers', { data: address })
  const { people } = (await (await operator.get('/api/auth/people')).json()) as People
  const [ana, ben] = ['Ana', 'Ben'].map((name) => people.find(({ user }) => user.name.startsWith(name))?.user.id ?? '')
  await operator.put(`/api/usage/budgets/people/${ben}`, { data: { tokens: 200_000, cost: null } })
  await operator.put(`/api/documents/${minutes}/members`, { data: { members: [{ id: ben, role: 'editor' }] } })
  await made(member, `/api/documents/${minutes}/threads`, {
    quote: 'Week',
    text: '@Ana Duarte Shall we begin on Monday or on Sunday?',
    mentions: [ana],
  })
}

type People = { people: { user: { id: string; name: string } }[] }

type Deliveries = { deliveries: { event: string; state: string }[] }

async function made(request: APIRequestContext, path: string, data: object): Promise<{ id: string }> {
  const response = await request.post(path, { data })
  if (!response.ok()) throw new Error(`${path}: ${await response.text()}`)
  return (await response.json()) as { id: string }
}

function webhook(request: APIRequestContext, url: string, description: string, events: string[], active = true) {
  return made(request, '/api/webhooks', { url, description, events, active })
}

async function addImage(request: APIRequestContext, document: string, mebibytes: number): Promise<void> {
  const file = { name: 'plan.png', mimeType: 'image/png', buffer: imageOf(mebibytes) }
  const sent = await request.post(`/api/documents/${document}/images`, { multipart: { file } })
  if (!sent.ok()) throw new Error(`no image: ${await sent.text()}`)
}
