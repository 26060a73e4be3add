import { type Notification, pathOfPlace } from '@copydesk/protocol'

/** The subject and text of a mail. */
export type Letter = { subject: string; text: string }

/** An invitation to create an account. */
export function invitationLetter({ by, url, expiresAt }: { by: string; url: string; expiresAt: string }): Letter {
  return {
    subject: `${oneLine(by, 80)} invites you to Copydesk`,
    text: `${oneLine(by, 80)} invites you to write together in Copydesk. Create your account here:

${url}

The link works once, until ${dateOf(expiresAt)}.
`,
  }
}

/** A link that sets a new password. */
export function resetLetter({ name, url }: { name: string; url: string }): Letter {
  return {
    subject: 'Set a new Copydesk password',
    text: `Hello ${oneLine(name, 80)},

a new password was requested for your account. Set it here:

${url}

The link works once, for an hour. If you didn't ask for it, ignore this mail: your password stays as it is.
`,
  }
}

type Noted = Pick<Notification, 'kind' | 'document' | 'place' | 'author' | 'excerpt'>

/** Notifications of one person, oldest first; `more` are not listed. `stopUrl` ends these mails. */
export function notificationsLetter({
  noted,
  more,
  publicUrl,
  stopUrl,
}: {
  noted: readonly Noted[]
  more: number
  publicUrl: string
  stopUrl: string
}): Letter {
  const [first] = noted
  const subject = first && noted.length + more === 1 ? describe(first) : `${noted.length + more} mentions and replies`
  const items = noted.map(
    (each) =>
      `${describe(each)}:\n\n  ${oneLine(each.excerpt, 300)}\n\n  ${publicUrl}${pathOfPlace(each.document.id, each.place)}\n`,
  )
  const rest = more === 0 ? [] : [`And ${more} more: ${publicUrl}/\n`]
  const end = `--\nYou get these mails when people mention you or reply to you while you are away.\nStop them: ${stopUrl}\n`
  return { subject, text: [...items, ...rest, end].join('\n') }
}

function describe({ kind, author, document }: Noted): string {
  const title = oneLine(document.title, 100) || 'Untitled'
  return `${oneLine(author.name, 80)} ${kind === 'mention' ? 'mentioned you' : 'replied'} in “${title}”`
}

/** A text of users on one line of a mail, without control and formatting characters, which could disguise it. */
function oneLine(text: string, length: number): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  const characters = Array.from(line)
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : line
}

function dateOf(time: string): string {
  return new Date(time).toLocaleString('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).concat(' UTC')
}
