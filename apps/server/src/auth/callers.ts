import type { User } from '@copydesk/protocol'
import { type AgentIdentity, agentIdentity, type Sender, type Access } from '../common/identity.ts'
import type { People } from './people.ts'
import type { TokenSubject, Tokens } from './tokens.ts'

/** Name of the cookie that holds a person's session token. */
export const SESSION_COOKIE = 'copydesk_session'

/**
 * An authenticated caller: a person, or a run of the agent acting for the person who started it. With an API key,
 * `limit` is its access limit and `apiKey` its id; `session` is the id of a session of an account; a `guest` has only
 * the access of share links, and joined by `link`.
 */
export type Caller =
  | { kind: 'person'; user: User; limit?: Access; apiKey?: string; session?: string; guest?: true; link?: string }
  | { kind: 'run'; run: string; epoch: number; document: string; invokedBy: User; agent?: AgentIdentity }

/** A person who calls, or the owner of the calling API key. */
export type PersonCaller = Extract<Caller, { kind: 'person' }>

/**
 * Authenticates a bearer token or session cookie; `undefined` if it is invalid or the person's account is closed. A
 * later call checks whether the credential is still valid.
 */
export type Identify = (credential: string) => Promise<Caller | undefined>

/** Lookups for credentials that aren't the server's own tokens. */
type CredentialLookups = readonly ((credential: string) => Promise<Caller | undefined>)[]

type IdentifyDeps = {
  tokens: Tokens
  people: People
  /** With AUTH=accounts, the lookups of sessions and keys. Sessions that only have a name are then invalid. */
  lookups?: CredentialLookups | undefined
}

/** Creates the authentication function: it checks the server's own tokens and, with accounts, sessions and API keys. */
export function createIdentify({ tokens, people, lookups }: IdentifyDeps): Identify {
  return async (credential) => {
    const subject = await tokens.verify(credential)
    if (subject) return toCaller(subject, people, lookups !== undefined)
    for (const lookup of lookups ?? []) {
      const caller = await lookup(credential)
      if (caller) return caller
    }
    return undefined
  }
}

async function toCaller(subject: TokenSubject, people: People, hasAccounts: boolean): Promise<Caller | undefined> {
  switch (subject.kind) {
    case 'person': {
      const user = hasAccounts ? undefined : await people.find(subject.id)
      return user && { kind: 'person', user }
    }
    case 'guest': {
      const user = hasAccounts ? await people.find(subject.id) : undefined
      const { link } = subject
      return user && { kind: 'person', user, guest: true, ...(link === undefined ? {} : { link }) }
    }
    case 'run': {
      const invokedBy = (await people.isActive(subject.invokedBy)) ? await people.find(subject.invokedBy) : undefined
      return invokedBy && { ...subject, invokedBy }
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

/** The sender stored in the log for a caller: the person, or the run with its epoch. */
export function senderOf(caller: Caller, key?: string): Sender {
  if (caller.kind === 'run') return { actor: agentIdentity.id, run: caller.run, epoch: caller.epoch }
  const { user, link, apiKey } = caller
  return { actor: user.id, run: null, epoch: null, key, link, apiKey }
}
