import { z } from 'zod'
import { Author, User } from './people.ts'

/**
 * A person whom a message or comment mentions as `@name`. `name` is the person's real name, not the name in the text.
 */
export const Mentioned = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Mentioned' })
export type Mentioned = z.infer<typeof Mentioned>

/** Ids of the people whom a text mentions. Only people whose `@name` occurs in the text count. */
export const MentionIds = z
  .array(z.string().min(1).max(100))
  .max(50, 'A text mentions at most 50 people.')
  .exactOptional()

/** A person who has opened the document, and the time of the last visit: the people that can be mentioned there. */
export const DocumentPerson = User.extend({ lastSeenAt: z.iso.datetime() }).meta({ id: 'DocumentPerson' })
export type DocumentPerson = z.infer<typeof DocumentPerson>

/**
 * An agent for the people of a document, with its picture in front of its name. `isHere`: it can be called there;
 * otherwise it has only worked there before.
 */
export const AgentHere = z
  .object({
    id: z.string(),
    handle: z.string(),
    name: z.string(),
    description: z.string(),
    color: z.string(),
    isHere: z.boolean(),
  })
  .meta({ id: 'AgentHere' })
export type AgentHere = z.infer<typeof AgentHere>

export const DocumentPeople = z.object({ people: z.array(DocumentPerson), agents: z.array(AgentHere).optional() })
export type DocumentPeople = z.infer<typeof DocumentPeople>

/**
 * The target of a notification: a mention in the text (`id` is its `requestId`), a comment in a thread, or a chat
 * message.
 */
export const NotificationPlace = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), id: z.string() }),
  z.object({ kind: z.literal('comment'), id: z.string(), thread: z.string() }),
  z.object({ kind: z.literal('chat'), id: z.string() }),
])
export type NotificationPlace = z.infer<typeof NotificationPlace>

/** The path of a place in a document on the server's site; the page reads the place from the fragment. */
export function pathOfPlace(document: string, place: NotificationPlace): string {
  return `/d/${document}#${fragmentOf(place)}`
}

function fragmentOf(place: NotificationPlace): string {
  switch (place.kind) {
    case 'text':
      return `mention=${encodeURIComponent(place.id)}`
    case 'comment':
      return `thread=${encodeURIComponent(place.thread)}&comment=${encodeURIComponent(place.id)}`
    case 'chat':
      return `message=${encodeURIComponent(place.id)}`
  }
}

/** A notification for one person: a mention of them, or a reply in a thread that they take part in. */
export const Notification = z
  .object({
    id: z.string(),
    kind: z.enum(['mention', 'reply']),
    document: z.object({ id: z.string(), title: z.string() }),
    place: NotificationPlace,
    author: Author.extend({ color: z.string().optional() }),
    excerpt: z.string(),
    createdAt: z.iso.datetime(),
    read: z.boolean(),
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof Notification>

/** A page of notifications, the newest first; `unread` counts all of them. */
export const NotificationList = z.object({
  notifications: z.array(Notification),
  unread: z.number().int(),
  nextCursor: z.string().nullable(),
})
export type NotificationList = z.infer<typeof NotificationList>

export const ListNotificationsQuery = z.object({ cursor: z.string().max(100).optional() })

/** Which notifications have been read; without `ids`, all. */
export const ReadNotifications = z.object({ ids: z.array(z.string().max(100)).max(1000).exactOptional() })

export const UnreadCount = z.object({ unread: z.number().int() })

/**
 * The stateless message that the server sends through an open document's connection when its user has a new
 * notification.
 */
export const NOTIFIED = 'notified'
