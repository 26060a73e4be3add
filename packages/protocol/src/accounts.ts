import { z } from 'zod'
import { PersonName, User } from './people.ts'

/** An e-mail address, folded to lower case. */
const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'That is no e-mail address.')
  .pipe(z.email('That is no e-mail address.'))

/** A password that somebody chooses; what is too easy to guess is refused by the server. */
const NewPassword = z
  .string()
  .min(10, 'A password has at least 10 characters.')
  .max(128, 'A password has at most 128 characters.')

// What is asked for when somebody proves who they are: anything, for a wrong one is answered as such.
const Password = z.string().min(1, 'Give your password.').max(1000)
const Token = z.string().min(1).max(200)

/** How people come in here. `needsSetUp` until the first account has been made. */
export const AuthOptions = z
  .object({
    auth: z.enum(['open', 'accounts']),
    needsSetUp: z.boolean(),
    oidc: z.object({ name: z.string() }).optional(),
  })
  .meta({ id: 'AuthOptions' })
export type AuthOptions = z.infer<typeof AuthOptions>

/** Makes an account with the token of a set-up or invitation link. */
export const SignUp = z.object({ token: Token, name: PersonName, email: Email, password: NewPassword })
export type SignUp = z.infer<typeof SignUp>

export const SignIn = z.object({ email: Email, password: Password })
export type SignIn = z.infer<typeof SignIn>

export const LinkToken = z.object({ token: Token })

/** What a link that lets somebody in is for. `email` is the only address that it is for, if there is one. */
export const OpenedLink = z
  .object({ kind: z.enum(['set-up', 'invitation', 'reset']), email: z.string().optional() })
  .meta({ id: 'OpenedLink' })
export type OpenedLink = z.infer<typeof OpenedLink>

export const ResetPassword = z.object({ token: Token, password: NewPassword })

/** Starts signing in at the other server. `returnTo` is a path of this one; `invitation` the token of a link. */
export const StartOidc = z.object({
  returnTo: z
    .string()
    .max(300)
    .regex(/^\/(?![/\\])/, 'Give a path of this server.')
    .exactOptional(),
  invitation: Token.exactOptional(),
})

export const Redirect = z.object({ url: z.string() })

/** The caller's own account. `connected` is whether they can sign in through the other server. */
export const Account = z
  .object({
    user: User,
    email: z.string(),
    operator: z.boolean(),
    hasPassword: z.boolean(),
    connected: z.boolean(),
  })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof Account>

/** Changes of one's own account; a new address needs the password, where there is one. */
export const PatchAccount = z.object({
  name: PersonName.exactOptional(),
  email: Email.exactOptional(),
  password: Password.exactOptional(),
})
export type PatchAccount = z.infer<typeof PatchAccount>

/** A new password of one's own; `current` where there is one already. All keys are taken away unless `keepKeys`. */
export const ChangePassword = z.object({
  current: Password.exactOptional(),
  password: NewPassword,
  keepKeys: z.boolean().exactOptional(),
})
export type ChangePassword = z.infer<typeof ChangePassword>

/** A browser or program that is signed in. `device` is what it says of itself, in a few words. */
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

/** What a key may do at most, whatever its owner may. */
export const KeyScope = z.enum(['read', 'comment', 'write'])
export type KeyScope = z.infer<typeof KeyScope>

/** A key with which programs act for its owner. `start` is how it begins; the rest is shown only once. */
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

/** `days` is how long the key is valid; for ever without it. */
export const CreateKey = z.object({
  name: z.string().trim().min(1, 'Give the key a name.').max(80, 'A name has at most 80 characters.'),
  scope: KeyScope,
  days: z.number().int().min(1).max(365).exactOptional(),
})
export type CreateKey = z.infer<typeof CreateKey>

export const CreatedKey = z.object({ ...ApiKey.shape, key: z.string() }).meta({ id: 'CreatedKey' })
export type CreatedKey = z.infer<typeof CreatedKey>

/** Somebody as operators see them. */
export const AccountPerson = z
  .object({
    user: User,
    email: z.string().nullable(),
    /** Whether the address is known to be theirs: an invitation was for it, the other server or an operator said so. */
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

/** `confirmedEmail` is the address that the operator knows to be theirs, the one that they have. */
export const PatchPerson = z.object({
  active: z.boolean().exactOptional(),
  operator: z.boolean().exactOptional(),
  confirmedEmail: Email.exactOptional(),
})
export type PatchPerson = z.infer<typeof PatchPerson>

/** An invitation that nobody has used yet. */
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

/** An invitation, for one address only or for whoever has the link, for `days` (7 unless told). */
export const CreateInvitation = z.object({
  email: Email.exactOptional(),
  days: z.number().int().min(1).max(90).exactOptional(),
})
export type CreateInvitation = z.infer<typeof CreateInvitation>

/** A link that is shown once, to be handed over. */
export const CreatedInvitation = z.object({ ...Invitation.shape, url: z.string() }).meta({ id: 'CreatedInvitation' })
export type CreatedInvitation = z.infer<typeof CreatedInvitation>

export const ResetLink = z.object({ url: z.string(), expiresAt: z.iso.datetime() }).meta({ id: 'ResetLink' })
export type ResetLink = z.infer<typeof ResetLink>
