import { z } from 'zod'
import { Inherits } from './folders.ts'
import { Access, Author, CreateSession, Role, User } from '../people/people.ts'

const Email = z.email('This is not an e-mail address.').max(254).toLowerCase()

/**
 * A person with access to a document, by their own role or by a link; `links` are the links that granted it. Members
 * with an account have `email` and `emailConfirmed`.
 */
export const Member = User.extend({
  role: Role,
  email: z.string().optional(),
  /** Whether the address is verified; otherwise it is only the member's own claim. */
  emailConfirmed: z.boolean().optional(),
  guest: z.boolean(),
  links: z.array(z.string()),
}).meta({ id: 'Member' })
export type Member = z.infer<typeof Member>

/**
 * An address that the document is shared with, but without an account that has opened it. `claimedBy` is a user with
 * this address, not verified: a user who knows that person can grant access by id.
 */
export const PendingMember = z
  .object({ email: z.string(), role: Role, claimedBy: z.object({ id: z.string(), name: z.string() }).optional() })
  .meta({ id: 'PendingMember' })
export type PendingMember = z.infer<typeof PendingMember>

/** A person with an inherited role from a folder that contains the document or folder; `folder` is that folder's id. */
export const InheritedMember = User.extend({ role: Role, folder: z.string() }).meta({ id: 'InheritedMember' })
export type InheritedMember = z.infer<typeof InheritedMember>

/** The people who may open a document or folder: by their own role or a link, and at most 500 by inherited roles. */
export const MemberList = z.object({
  members: z.array(Member),
  pending: z.array(PendingMember),
  inherited: z.array(InheritedMember),
})
export type MemberList = z.infer<typeof MemberList>

/** Sets roles of people, by id or address; `role: null` removes a role. People who aren't listed keep their roles. */
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

/**
 * Whether editors may add people, change roles and create links, as owners always may, and the roles that the document
 * inherits from its folder.
 */
export const Sharing = z.object({ editorsShare: z.boolean(), inherits: Inherits })
export type Sharing = z.infer<typeof Sharing>

export const PutSharing = Sharing.partial().refine(
  (put) => Object.keys(put).length > 0,
  'Give editorsShare or inherits.',
)
export type PutSharing = z.infer<typeof PutSharing>

/** The roles that a link can grant: a link never makes a person an owner. */
export const LinkRole = Role.exclude(['owner'])
export type LinkRole = z.infer<typeof LinkRole>

/**
 * A share link. `url` is its address, for callers who may share the document; links from before addresses were stored
 * have none. `visits` people have opened it, of whom `visitors` are the latest twenty.
 */
export const ShareLink = z
  .object({
    id: z.string(),
    role: LinkRole,
    createdBy: Author,
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    visits: z.number().int(),
    visitors: z.array(Author),
    url: z.string().optional(),
  })
  .meta({ id: 'ShareLink' })
export type ShareLink = z.infer<typeof ShareLink>

export const ShareLinkList = z.object({ links: z.array(ShareLink) })

export const PostLink = z.object({ role: LinkRole, expiresAt: z.iso.datetime({ offset: true }).nullish() })
export type PostLink = z.infer<typeof PostLink>

/** A newly created link, with its address. */
export const NewShareLink = ShareLink.extend({ url: z.string() }).meta({ id: 'NewShareLink' })
export type NewShareLink = z.infer<typeof NewShareLink>

/** The target of a link, shown before it is opened. */
export const LinkPreview = z.object({ title: z.string(), role: LinkRole })
export type LinkPreview = z.infer<typeof LinkPreview>

/** Opens a link; `name` is for callers without a session, who join as a guest under it. */
export const FollowLink = z.object({ name: CreateSession.shape.name.optional() })

/** The result of opening a link. `token` and `user` are set if a session was created. */
export const FollowedLink = z
  .object({ document: z.string(), role: LinkRole, token: z.string().optional(), user: User.optional() })
  .meta({ id: 'FollowedLink' })
export type FollowedLink = z.infer<typeof FollowedLink>

/** People who already share a document with the caller, for search by name. */
export const KnownPeople = z.object({ people: z.array(User.extend({ email: z.string().optional() })) })
export type KnownPeople = z.infer<typeof KnownPeople>

const Ownerless = z.object({
  id: z.string(),
  trashed: z.boolean(),
  owners: z.array(z.object({ id: z.string(), name: z.string(), closed: z.boolean() })),
})

/**
 * Documents without an owner who can still sign in, the most recently changed first, and such folders by name. `owners`
 * are those with the owner role; the owner of a closed account is `closed`, the others never had an account.
 */
export const OwnerlessList = z.object({
  documents: z.array(Ownerless.extend({ title: z.string(), updatedAt: z.iso.datetime() })),
  folders: z.array(Ownerless.extend({ name: z.string() })),
})
export type OwnerlessList = z.infer<typeof OwnerlessList>

/** The new owner of a document or folder without one: a person with an account, by id, or else the caller. */
export const HandOver = z.object({ person: z.string().min(1).max(100).optional() })

const accessMessage = 'access:'

/**
 * The stateless message that the server sends through an open document's connections when their user's access has
 * changed.
 */
export function writeAccessMessage(access: Access): string {
  return accessMessage + access
}

/** The access in a stateless message that announces a change of it; undefined for other messages. */
export function readAccessMessage(payload: string): Access | undefined {
  if (!payload.startsWith(accessMessage)) return undefined
  return Access.safeParse(payload.slice(accessMessage.length)).data
}
