import { z } from 'zod'
import { Access, Author, CreateSession, Role, User } from './people.ts'

const Email = z.email('That is no e-mail address.').max(254).toLowerCase()

/**
 * Somebody with a document of their own right, or by a link; `links` says which links gave it. `email` is there for
 * members with an account, and `emailConfirmed` beside it.
 */
export const Member = User.extend({
  role: Role,
  email: z.string().optional(),
  /** Whether the address is known to be theirs; else it is only what they say. */
  emailConfirmed: z.boolean().optional(),
  guest: z.boolean(),
  links: z.array(z.string()),
}).meta({ id: 'Member' })
export type Member = z.infer<typeof Member>

/**
 * An address that the document is shared with and with which nobody has opened it yet. `claimedBy` has an account with
 * it, but nobody has confirmed that it is theirs: who knows them lets them in by id.
 */
export const PendingMember = z
  .object({ email: z.string(), role: Role, claimedBy: z.object({ id: z.string(), name: z.string() }).optional() })
  .meta({ id: 'PendingMember' })
export type PendingMember = z.infer<typeof PendingMember>

export const MemberList = z.object({ members: z.array(Member), pending: z.array(PendingMember) })
export type MemberList = z.infer<typeof MemberList>

/** Gives people roles, by id or address; `role: null` takes what they have. Who isn't named keeps what they have. */
export const PutMembers = z.object({
  members: z
    .array(
      z
        .object({ id: z.string().min(1).max(100).optional(), email: Email.optional(), role: Role.nullable() })
        .refine(({ id, email }) => (id === undefined) !== (email === undefined), 'Give an id or an email.'),
    )
    .min(1)
    .max(100, 'Change at most 100 people at once.'),
})
export type PutMembers = z.infer<typeof PutMembers>

/** Whether editors may add people, change roles and make links, as owners always may. */
export const PutSharing = z.object({ editorsShare: z.boolean() })

/** What a link can give: nobody becomes an owner by knowing an address. */
export const LinkRole = Role.exclude(['owner'])
export type LinkRole = z.infer<typeof LinkRole>

/** A share link as it is listed. The address itself is told only once, when the link is made. */
export const ShareLink = z
  .object({
    id: z.string(),
    role: LinkRole,
    createdBy: Author,
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ShareLink' })
export type ShareLink = z.infer<typeof ShareLink>

export const ShareLinkList = z.object({ links: z.array(ShareLink) })

export const PostLink = z.object({ role: LinkRole, expiresAt: z.iso.datetime({ offset: true }).nullish() })
export type PostLink = z.infer<typeof PostLink>

/** A link that has just been made, with its address. */
export const NewShareLink = ShareLink.extend({ url: z.string() }).meta({ id: 'NewShareLink' })
export type NewShareLink = z.infer<typeof NewShareLink>

/** Where a link leads, for those who are about to follow it. */
export const LinkPreview = z.object({ title: z.string(), role: LinkRole })
export type LinkPreview = z.infer<typeof LinkPreview>

/** Opens a link; `name` is for those who have no session, who come in as a guest under it. */
export const FollowLink = z.object({ name: CreateSession.shape.name.optional() })

/** Where a link has led. `token` and `user` are there when a session was made for it. */
export const FollowedLink = z
  .object({ document: z.string(), role: LinkRole, token: z.string().optional(), user: User.optional() })
  .meta({ id: 'FollowedLink' })
export type FollowedLink = z.infer<typeof FollowedLink>

/** People whom the caller already shares a document with, for those who look for somebody by name. */
export const KnownPeople = z.object({ people: z.array(User.extend({ email: z.string().optional() })) })
export type KnownPeople = z.infer<typeof KnownPeople>

/**
 * Documents that nobody owns who could still sign in, the last changed first. `owners` are those who own them by right;
 * one of a closed account is `closed`, the others never had an account.
 */
export const OwnerlessList = z.object({
  documents: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      updatedAt: z.iso.datetime(),
      trashed: z.boolean(),
      owners: z.array(z.object({ id: z.string(), name: z.string(), closed: z.boolean() })),
    }),
  ),
})
export type OwnerlessList = z.infer<typeof OwnerlessList>

/** Who is to own a document that has no owner: a person with an account, by id, or else the caller. */
export const HandOver = z.object({ person: z.string().min(1).max(100).optional() })

const accessMessage = 'access:'

/**
 * What the server sends through an open document's connections when their reader's rights have changed (a stateless
 * message).
 */
export function writeAccessMessage(access: Access): string {
  return accessMessage + access
}

/** What a stateless message says that its reader may do now; undefined for other messages. */
export function readAccessMessage(payload: string): Access | undefined {
  if (!payload.startsWith(accessMessage)) return undefined
  return Access.safeParse(payload.slice(accessMessage.length)).data
}
