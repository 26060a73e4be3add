import { z } from 'zod'
import { Language } from '../language.ts'
import { PersonName, User } from './people.ts'

/** An e-mail address, converted to lower case. */
const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'This is not an e-mail address.')
  .pipe(z.email('This is not an e-mail address.'))

/** A new password; the server also refuses passwords that are too easy to guess. */
const NewPassword = z
  .string()
  .min(10, 'A password has at least 10 characters.')
  .max(128, 'A password has at most 128 characters.')

// A password for authentication. Any text is accepted: a wrong one is reported as wrong, not as invalid.
const Password = z.string().min(1, 'Give your password.').max(1000)
const Token = z.string().min(1).max(200)

/** Creates an account with the token of a set-up or invitation link. */
export const SignUp = z.object({ token: Token, name: PersonName, email: Email, password: NewPassword })
export type SignUp = z.infer<typeof SignUp>

export const SignIn = z.object({ email: Email, password: Password })
export type SignIn = z.infer<typeof SignIn>

export const LinkToken = z.object({ token: Token })

/**
 * The purpose of a link that grants access. `email` is the only address that it is valid for, if it is restricted to
 * one.
 */
export const OpenedLink = z
  .object({ kind: z.enum(['set-up', 'invitation', 'reset']), email: z.string().optional() })
  .meta({ id: 'OpenedLink' })
export type OpenedLink = z.infer<typeof OpenedLink>

/** Requests a mail with a link that sets a new password. */
export const RequestReset = z.object({ email: Email })
export type RequestReset = z.infer<typeof RequestReset>

export const ResetPassword = z.object({ token: Token, password: NewPassword })

/**
 * Starts a sign-in through the OpenID provider. `returnTo` is a path of this server; `invitation` the token of a link.
 */
export const StartOidc = z.object({
  returnTo: z
    .string()
    .max(300)
    .regex(/^\/(?![/\\])/, 'Give a path of this server.')
    .exactOptional(),
  invitation: Token.exactOptional(),
})

export const Redirect = z.object({ url: z.string() })

/** The caller's own account. `connected` says whether the user can sign in through the OpenID provider. */
export const Account = z
  .object({
    user: User,
    email: z.string(),
    operator: z.boolean(),
    hasPassword: z.boolean(),
    connected: z.boolean(),
    /** Whether the user is mailed about notifications while they are away, if the server sends mail. */
    mails: z.boolean(),
    /** The language of mails to the user: the last language of the interface; null before the first visit. */
    language: Language.nullable(),
  })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof Account>

/** Changes of the caller's own account; a new address requires the password, if the account has one. */
export const PatchAccount = z.object({
  name: PersonName.exactOptional(),
  email: Email.exactOptional(),
  password: Password.exactOptional(),
  mails: z.boolean().exactOptional(),
  language: Language.exactOptional(),
})
export type PatchAccount = z.infer<typeof PatchAccount>

/** Sets the caller's password; `current` is required if there is one already. Revokes all keys unless `keepKeys`. */
export const ChangePassword = z.object({
  current: Password.exactOptional(),
  password: NewPassword,
  keepKeys: z.boolean().exactOptional(),
})
export type ChangePassword = z.infer<typeof ChangePassword>

/** A session of a browser or program. `device` is a short description, derived from its user agent. */
export const AccountSession = z
  .object({
    id: z.string(),
    current: z.boolean(),
    device: z.string(),
    address: z.string().optional(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime(),
  })
  .meta({ id: 'AccountSession' })
export type AccountSession = z.infer<typeof AccountSession>

export const AccountSessionList = z.object({ sessions: z.array(AccountSession) })
export type AccountSessionList = z.infer<typeof AccountSessionList>

/** The maximum access of a key, even if its owner has more. */
export const KeyScope = z.enum(['read', 'comment', 'write'])
export type KeyScope = z.infer<typeof KeyScope>

/** A key with which programs act for its owner. `start` is its prefix; the rest is shown only once. */
export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    scope: KeyScope,
    start: z.string(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeyList = z.object({ keys: z.array(ApiKey) })
export type ApiKeyList = z.infer<typeof ApiKeyList>

/** `days` is the validity of the key; without it, the key doesn't expire. */
export const CreateKey = z.object({
  name: z.string().trim().min(1, 'Give the key a name.').max(80, 'A name has at most 80 characters.'),
  scope: KeyScope,
  days: z.number().int().min(1).max(365).exactOptional(),
})
export type CreateKey = z.infer<typeof CreateKey>

export const CreatedKey = z.object({ ...ApiKey.shape, key: z.string() }).meta({ id: 'CreatedKey' })
export type CreatedKey = z.infer<typeof CreatedKey>

/** A user as operators see them. */
export const AccountPerson = z
  .object({
    user: User,
    email: z.string().nullable(),
    /**
     * Whether the address is verified: an invitation was sent to it, or the OpenID provider or an operator confirmed
     * it.
     */
    confirmed: z.boolean(),
    operator: z.boolean(),
    active: z.boolean(),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AccountPerson' })
export type AccountPerson = z.infer<typeof AccountPerson>

export const AccountPersonList = z.object({ people: z.array(AccountPerson) })
export type AccountPersonList = z.infer<typeof AccountPersonList>

/** `confirmedEmail` is the user's current address, which the operator confirms to be theirs. */
export const PatchPerson = z.object({
  active: z.boolean().exactOptional(),
  operator: z.boolean().exactOptional(),
  confirmedEmail: Email.exactOptional(),
})
export type PatchPerson = z.infer<typeof PatchPerson>

/** An invitation that hasn't been used yet. */
export const Invitation = z
  .object({
    id: z.string(),
    email: z.string().nullable(),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof Invitation>

export const InvitationList = z.object({ invitations: z.array(Invitation) })
export type InvitationList = z.infer<typeof InvitationList>

/** An invitation, for one address or for anyone with the link, valid for `days` (7 by default). */
export const CreateInvitation = z.object({
  email: Email.exactOptional(),
  days: z.number().int().min(1).max(90).exactOptional(),
})
export type CreateInvitation = z.infer<typeof CreateInvitation>

/** An invitation link that is shown once, to be passed on; `mailed` if the server has sent it to the address. */
export const CreatedInvitation = z
  .object({ ...Invitation.shape, url: z.string(), mailed: z.boolean() })
  .meta({ id: 'CreatedInvitation' })
export type CreatedInvitation = z.infer<typeof CreatedInvitation>

export const ResetLink = z.object({ url: z.string(), expiresAt: z.iso.datetime() }).meta({ id: 'ResetLink' })
export type ResetLink = z.infer<typeof ResetLink>

/** The colours of people: with a contrast of at least 4.5:1 to white text, and distinguishable for most people. */
export const personColors = [
  '#b4232a',
  '#b45309',
  '#4d7c0f',
  '#047857',
  '#0e7490',
  '#1d4ed8',
  '#6d28d9',
  '#a21caf',
  '#be185d',
  '#57534e',
] as const

/**
 * Changes the caller's own name, colour, or the language of mails and of answers to requests without a detectable
 * language.
 */
export const PatchMe = z.object({
  name: PersonName.exactOptional(),
  color: z.enum(personColors).exactOptional(),
  language: Language.exactOptional(),
})
export type PatchMe = z.infer<typeof PatchMe>
