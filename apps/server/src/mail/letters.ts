import type { Language, Notification } from '@copydesk/protocol'
import { pathOfPlace } from '@copydesk/protocol'
import compile from 'icu-minify/compile'
import format from 'icu-minify/format'
import german from './de.json' with { type: 'json' }

/** The subject and text of a mail. */
export type Letter = { subject: string; text: string }

/** The language of a mail whose reader's language isn't known. */
const unknownLanguage: Language = 'en'

type Invited = { by: string; url: string; expiresAt: string; language: Language | null }

/** An invitation to create an account, in the language of the inviting person. */
export function invitationLetter({ by: name, url, expiresAt, language }: Invited): Letter {
  const write = writeIn(language)
  const by = oneLine(name, 80)
  return {
    subject: write('{by} invites you to Copydesk', { by }),
    text: `${write('{by} invites you to write together in Copydesk. Create your account here:', { by })}

${url}

${write('The link works once, until {date}.', { date: writeDate(language ?? unknownLanguage, expiresAt) })}
`,
  }
}

/** A mail with a link that sets a new password. */
export function resetLetter({ name, url, language }: { name: string; url: string; language: Language | null }): Letter {
  const write = writeIn(language)
  return {
    subject: write('Set a new Copydesk password'),
    text: `${write('Hello {name},', { name: oneLine(name, 80) })}

${write('A new password was requested for your account. Set it here:')}

${url}

${write("The link works once, for an hour. If you didn't ask for it, ignore this mail: your password stays as it is.")}
`,
  }
}

type Noted = Pick<Notification, 'kind' | 'document' | 'place' | 'author' | 'excerpt'>

/** Notifications of one person, oldest first; `more` is the number of further ones. `stopUrl` unsubscribes. */
export function notificationsLetter({
  noted,
  more,
  publicUrl,
  stopUrl,
  language,
}: {
  noted: readonly Noted[]
  more: number
  publicUrl: string
  stopUrl: string
  language: Language | null
}): Letter {
  const write = writeIn(language)
  const [first] = noted
  const count = noted.length + more
  const subject =
    first && count === 1 ? describe(first, write) : write('{count, number} mentions and replies', { count })
  const items = noted.map(
    (each) =>
      `${describe(each, write)}:\n\n  ${oneLine(each.excerpt, 300)}\n\n  ${publicUrl}${pathOfPlace(each.document.id, each.place)}\n`,
  )
  const rest = more === 0 ? [] : [`${write('And {count, number} more:', { count: more })} ${publicUrl}/\n`]
  const why = write('You get these mails when people mention you or reply to you while you are away.')
  const end = `--\n${why}\n${write('Stop them:')} ${stopUrl}\n`
  return { subject, text: [...items, ...rest, end].join('\n') }
}

type Write = ReturnType<typeof writeIn>

function writeIn(language: Language | null) {
  return (...[text, values]: TextWithValues) => writeText(language ?? unknownLanguage, text, values)
}

type TextWithValues = Parameters<typeof writeText> extends [Language, ...infer Rest] ? Rest : never

function describe({ kind, author: { name }, document }: Noted, write: Write): string {
  const title = oneLine(document.title, 100) || write('Untitled')
  const values = { author: oneLine(name, 80), title }
  return kind === 'mention'
    ? write('{author} mentioned you in “{title}”', values)
    : write('{author} replied in “{title}”', values)
}

/** Text of users as one line of a mail, without control and formatting characters, which could disguise it. */
function oneLine(text: string, length: number): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  const characters = Array.from(line)
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : line
}

/** A text of a mail, in English: an ICU message, the key of its translations. */
type LetterText = keyof typeof german

const catalogues: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<LetterText, string>>>> = { de: german }

const formatters = {
  getNumberFormat: (...given: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...given),
  getPluralRules: (...given: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...given),
  getDateTimeFormat: (...given: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...given),
}

/** Writes a text of a mail in a language, with its values. */
function writeText(language: Language, text: LetterText, values: Record<string, string | number> = {}): string {
  const message = language === 'en' ? text : catalogues[language][text]
  return String(format<string>(compile(message), language, values, { formatters }))
}

/** A time in a language, to the minute, in UTC: the server doesn't know the reader's time zone. */
function writeDate(language: Language, time: string): string {
  const style = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Date(time).toLocaleString(language, style)} UTC`
}
