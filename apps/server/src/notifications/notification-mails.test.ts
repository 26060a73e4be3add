import type { Account, AuthOptions, CreatedInvitation, NotificationList, Session, Thread } from '@copydesk/protocol'
import { until } from '@copydesk/testing'
import type { Email } from 'postal-mime'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import german from '../mail/de.json' with { type: 'json' }
import { callApi } from '../testing/call-api.ts'
import { type Mailbox, openMailbox } from '../testing/servers/mailbox.ts'
import { type AccountHolder, invite, signUp, testPassword } from '../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { changeFile } from '../testing/test-store.ts'

let mailbox: Mailbox
let server: TestServer
let ana: AccountHolder
let ben: Session
let cy: Session

beforeAll(async () => {
  mailbox = await openMailbox()
  const mailTimes = { every: 20, between: 0 }
  server = await startTestServer({ AUTH: 'accounts', ...mailbox.environment }, { mailTimes })
  ana = await signUp(server.url, server.setUpToken, 'Ana')
  ben = await signUp(server.url, await invite(ana, 'ben@example.org'), 'Ben')
  cy = await signUp(server.url, await invite(ana, 'cy@example.org'), 'Cy')
})
afterAll(async () => {
  await server.dispose()
  await mailbox.close()
})
beforeEach(() => void mailbox.mails.splice(0))

const as = ({ token }: Session, document = '') => callApi(server.url, token, document)

/** A document of Ana's that the others have opened. */
async function shareDocument(title: string): Promise<string> {
  const { id } = await server.create(ana, `# ${title}\n\nThe price is 30.`)
  const members = [ben, cy].map(({ user }) => ({ id: user.id, role: 'editor' }))
  await as(ana, id)('PUT', '/members', { members })
  for (const each of [ben, cy]) await as(each, id)('GET', '')
  // A notification counts as seen if the document was opened after it; the clock counts milliseconds.
  await until(
    () =>
      server.file
        .prepare('SELECT count(*) AS n FROM document_visits WHERE document = ? AND last_at < ?')
        .get(id, Date.now())?.['n'] === 3,
    'the visits are past',
  )
  return id
}

async function mention(document: string, person: Session, text: string): Promise<Thread> {
  const body = { quote: 'price', text: `@${person.user.name} ${text}`, mentions: [person.user.id] }
  return (await as(ana, document)<Thread>('POST', '/threads', body)).body
}

/** Simulates that ten minutes have passed, after which unread notifications are mailed. */
async function tenMinutesPass(): Promise<void> {
  // Visits first: a notification that is older than the visit counts as seen.
  for (const column of ['document_visits SET last_at = last_at', 'notifications SET created_at = created_at'])
    await changeFile(server.file, `UPDATE ${column} - 600000`)
}

async function received(count = 1): Promise<Email[]> {
  await tenMinutesPass()
  await until(() => mailbox.mails.length >= count, `${count} mails`)
  return mailbox.mails
}

/** Who received mail, in order. */
const receivers = (): (string | undefined)[] => mailbox.mails.map(({ to }) => to?.[0]?.address)
const tokenIn = (mail: Email | undefined, path: string): string =>
  new RegExp(`http\\S*${path}#(\\S+)`).exec(mail?.text ?? '')?.[1] ?? ''

test('[MAIL-1] what a person leaves unread is mailed to them once, gathered, with links to the places', async () => {
  const document = await shareDocument('Budget')
  const first = await mention(document, ben, 'is that all?')
  await mention(document, ben, 'and\r\nBcc: eve@example.org \u202Etxt.exe')
  const [mail] = await received()
  expect(mail).toMatchObject({
    to: [{ address: 'ben@example.org' }],
    from: { name: 'Copydesk', address: 'copydesk@example.org' },
    subject: '2 mentions and replies',
  })
  expect(mail).not.toHaveProperty('bcc')
  expect(mail?.text).toContain('Ana mentioned you in “Budget”')
  expect(mail?.text).toContain(`/d/${document}#thread=${first.id}&comment=${first.comments[0]?.id}`)
  expect(mail?.text).toContain('@Ben and Bcc: eve@example.org txt.exe')
  await mention(document, cy, 'and you?')
  await received(2)
  expect(receivers()).toEqual(['ben@example.org', 'cy@example.org'])
})

test('[MAIL-2] what was read, or whose document was opened since or can’t be opened any more, is not mailed', async () => {
  const [read, taken, opened, last] = await Promise.all(['Read', 'Taken', 'Opened', 'Last'].map(shareDocument))
  for (const document of [read, taken, opened]) await mention(document ?? '', ben, 'look')
  const { body } = await as(ben)<NotificationList>('GET', '/api/notifications')
  const ids = body.notifications.filter((each) => each.document.id === read).map(({ id }) => id)
  await as(ben)('POST', '/api/notifications/read', { ids })
  await as(ana, taken)('PUT', '/members', { members: [{ id: ben.user.id, role: null }] })
  await changeFile(server.file, 'UPDATE document_visits SET last_at = ? WHERE document = ?', Date.now(), opened ?? '')
  await mention(last ?? '', ben, 'the last one')
  const [mail] = await received()
  expect(mail?.subject).toBe('Ana mentioned you in “Last”')
  expect(mail?.text).toContain('the last one')
  for (const title of ['Read', 'Taken', 'Opened']) expect(mail?.text).not.toContain(`“${title}”`)
})

test('[MAIL-3] a link in the mail stops these mails without a session, and the account page starts them again', async () => {
  const document = await shareDocument('Stop')
  await mention(document, ben, 'one')
  const [mail] = await received()
  const token = tokenIn(mail, '/stop-mail')
  expect(mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toContain(token)
  const stop = (given: string) => callApi(server.url, '', '')('POST', '/api/auth/stop-mails', { token: given })
  expect((await stop(`${cy.user.id}.${token.split('.')[1]}`)).status).toBe(404)
  expect((await stop(token)).status).toBe(204)
  expect((await as(ben)<Account>('GET', '/api/auth/account')).body.mails).toBe(false)
  await mention(document, ben, 'two')
  await mention(document, cy, 'three')
  await received(2)
  expect(receivers()).toEqual(['ben@example.org', 'cy@example.org'])
  await as(ben)('PATCH', '/api/auth/account', { mails: true })
  await received(3)
  expect(receivers().at(-1)).toBe('ben@example.org')
})

test('[MAIL-4] while the mail server is out of order nothing is lost; what it refuses for good is not sent again', async () => {
  const document = await shareDocument('Refused')
  mailbox.refuseWith(451)
  await mention(document, ben, 'kept')
  await tenMinutesPass()
  await until(() => server.logged().includes('could not be mailed'), 'the failure is logged')
  mailbox.refuseWith(undefined)
  expect((await received())[0]?.text).toContain('@Ben kept')
  mailbox.refuseWith(550)
  await mention(document, ben, 'refused')
  const unmailed = () =>
    server.file
      .prepare('SELECT count(*) AS n FROM notifications WHERE mailed_at IS NULL AND excerpt LIKE ?')
      .get('%refused')?.['n']
  expect(unmailed()).toBe(1)
  await tenMinutesPass()
  await until(() => unmailed() === 0, 'it is given up')
  mailbox.refuseWith(undefined)
  expect(mailbox.mails).toHaveLength(1)
})

test('[MAIL-5] an invitation for an address is mailed to it', async () => {
  const { body } = await as(ana)<CreatedInvitation>('POST', '/api/auth/invitations', { email: 'dee@example.org' })
  expect(body.mailed).toBe(true)
  const [mail] = await received()
  expect(mail?.text).toContain(body.url)
  expect(receivers()).toEqual(['dee@example.org'])
  mailbox.refuseWith(451)
  const again = await as(ana)<CreatedInvitation>('POST', '/api/auth/invitations', { email: 'eli@example.org' })
  mailbox.refuseWith(undefined)
  expect([again.status, again.body.mailed]).toEqual([201, false])
})

test('[LANG-9] mails are in the language that their reader last used, invitations in that of their writer', async () => {
  const account = async () => (await as(ben)<Account>('GET', '/api/auth/account')).body.language
  expect(await account()).toBeNull()
  const speak = (person: Session, language: string) => as(person)('PATCH', '/api/auth/account', { language })
  expect((await speak(ben, 'ja')).status).toBe(400)
  expect(await account()).toBeNull()
  await speak(ben, 'de')
  expect(await as(ben)('GET', '/api/me')).toMatchObject({ body: { language: 'de' } })
  expect(await account()).toBe('de')
  const document = await shareDocument('Budget')
  await mention(document, ben, 'ja?')
  await mention(document, ben, 'nein?')
  const [gathered] = await received()
  expect(gathered?.subject).toBe('2 Erwähnungen und Antworten')
  expect(gathered?.text).toContain('Ana hat Sie in „Budget“ erwähnt:\n\n  @Ben ja?\n')
  expect(gathered?.text).toMatch(/während Sie nicht da sind\.\nAbbestellen: http\S+\/stop-mail#\S+\n$/)
  const stranger = callApi(server.url, '', '', { 'accept-language': 'en' })
  await stranger('POST', '/api/auth/reset-requests', { email: 'ben@example.org' })
  expect((await received(2))[1]).toMatchObject({ subject: 'Neues Passwort für Copydesk festlegen' })
  await speak(ana, 'de')
  await as(ana)('POST', '/api/auth/invitations', { email: 'fay@example.org' })
  const invitation = (await received(3))[2]
  expect(invitation?.subject).toBe('Ana lädt Sie zu Copydesk ein')
  expect(invitation?.text).toMatch(
    /Der Link lässt sich einmal verwenden, bis zum \d+\. \p{L}+ \d{4} um \d\d:\d\d UTC\./u,
  )
  await speak(ben, 'en')
  await speak(ana, 'en')
  expect(await account()).toBe('en')
})

/** What the English texts of mails say between their values, without short words. */
const englishPieces = Object.keys(german).flatMap((text) => text.split(/\{[^}]*\}/).filter((piece) => piece.length > 9))

type Kind = [kind: string, subject: string, cause: (document: string) => Promise<unknown>]

test.each<Kind>([
  ['a mention', 'Ana hat Sie in „Etat“ erwähnt', (document) => mention(document, ben, 'ja?')],
  ['a reply', 'Ana hat Ihnen in „Etat“ geantwortet', (document) => replyTo(document, ben)],
  ['many', '22 Erwähnungen und Antworten', (document) => mentionOften(document, ben, 22)],
  ['a new password', 'Neues Passwort für Copydesk festlegen', () => askForPassword('ben@example.org')],
  ['an invitation', 'Ana lädt Sie zu Copydesk ein', () => inviteByMail('gus@example.org')],
])('[LANG-9] in German a mail about %s has the subject “%s”, and nothing in English', async (kind, subject, cause) => {
  for (const person of [ana, ben]) await as(person)('PATCH', '/api/auth/account', { language: 'de' })
  const document = await shareDocument('Etat')
  await cause(document)
  const [mail] = await received()
  for (const person of [ana, ben]) await as(person)('PATCH', '/api/auth/account', { language: 'en' })
  expect(mail?.subject).toBe(subject)
  expect(englishPieces.filter((piece) => mail?.text?.includes(piece))).toEqual([])
  if (kind === 'many') expect(mail?.text).toMatch(/\nUnd 2 weitere: http\S+\/\n/)
  if (kind === 'a new password') expect(mail?.text).toMatch(/^Hallo Ben,\n\nfür Ihr Konto wurde/)
})

/** Replies as Ana in a thread that the person began. */
async function replyTo(document: string, person: Session): Promise<void> {
  const body = { quote: 'price', text: 'why?' }
  const { id } = (await as(person, document)<Thread>('POST', '/threads', body)).body
  await as(ana, document)('POST', `/threads/${id}/comments`, { text: 'because' })
}

async function mentionOften(document: string, person: Session, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) await mention(document, person, String(number))
}

const askForPassword = (email: string) => callApi(server.url, '', '')('POST', '/api/auth/reset-requests', { email })
const inviteByMail = (email: string) => as(ana)('POST', '/api/auth/invitations', { email })

test('[MAIL-6] people set a new password by a mailed link; no answer tells who has an account, and one is mailed three times an hour', async () => {
  const stranger = callApi(server.url, '', '')
  const ask = (email: string) => stranger('POST', '/api/auth/reset-requests', { email })
  expect((await stranger<AuthOptions>('GET', '/api/auth')).body.mail).toBe(true)
  for (const email of ['nobody@example.org', ...Array<string>(4).fill('CY@example.org')])
    expect((await ask(email)).status).toBe(202)
  await ask('ben@example.org')
  await until(() => receivers().includes('ben@example.org'), 'the last one is mailed')
  expect(receivers()).toEqual([...Array<string>(3).fill('cy@example.org'), 'ben@example.org'])
  const [first, second] = mailbox.mails.map((mail) => tokenIn(mail, '/reset'))
  const reset = (token = '') => stranger('POST', '/api/auth/reset', { token, password: `${testPassword} anew` })
  expect((await reset(first)).status).toBe(200)
  expect((await reset(second)).status).toBe(404)
})
