import type { User } from '@copydesk/protocol'
import type { People } from './people.ts'
import type { TokenSubject, Tokens } from './tokens.ts'

/** Name of the cookie that holds a person's session token. */
export const SESSION_COOKIE = 'copydesk_session'

/** Who is calling: a person, or a run of the agent acting for the person who started it. */
export type Caller =
  | { kind: 'person'; user: User }
  | { kind: 'run'; run: string; epoch: number; document: string; invokedBy: User }

/** Finds out who is calling from a bearer token; `undefined` if it is no valid token or the person is gone. */
export async function identify(token: string, tokens: Tokens, people: People): Promise<Caller | undefined> {
  const subject = await tokens.verify(token)
  return subject && toCaller(subject, people)
}

async function toCaller(subject: TokenSubject, people: People): Promise<Caller | undefined> {
  switch (subject.kind) {
    case 'person': {
      const user = await people.find(subject.id)
      return user && { kind: 'person', user }
    }
    case 'run': {
      const invokedBy = await people.find(subject.invokedBy)
      return invokedBy && { kind: 'run', run: subject.run, epoch: subject.epoch, document: subject.document, invokedBy }
    }
  }
}

/** The session token in a `Cookie` header, if there is one. */
export function sessionTokenOf(cookieHeader: string | undefined): string | undefined {
  for (const pair of cookieHeader?.split(';') ?? []) {
    const separator = pair.indexOf('=')
    if (pair.slice(0, separator).trim() === SESSION_COOKIE) return pair.slice(separator + 1).trim()
  }
  return undefined
}
