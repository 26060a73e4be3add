import { createHmac, timingSafeEqual } from 'node:crypto'

/** Tokens in links with which people unsubscribe from mails without signing in. They don't expire. */
export type StopTokens = {
  issue(person: string): string
  /** The person for whom this server issued the token. */
  read(token: string): string | undefined
}

/** Tokens that consist of the person's id and its HMAC, keyed with the server's secret. */
export function createStopTokens(secret: string): StopTokens {
  const issue = (person: string): string =>
    `${person}.${createHmac('sha256', secret).update(`stop mails ${person}`).digest('base64url')}`
  return {
    issue,
    read(token) {
      const person = token.slice(0, Math.max(0, token.lastIndexOf('.')))
      const [given, right] = [Buffer.from(token), Buffer.from(issue(person))]
      return given.length === right.length && timingSafeEqual(given, right) ? person : undefined
    },
  }
}
