import type { Notification, NotificationPlace } from '@copydesk/protocol'
import { documentPath } from '../common/location.tsx'

/** A target in a document that an address can name in its fragment. */
export type Place = NotificationPlace

/** The address of a notification's target. */
export function pathOfNotification({ document, place }: Pick<Notification, 'document' | 'place'>): string {
  return `${documentPath(document.id)}#${hashOf(place)}`
}

function hashOf(place: Place): string {
  switch (place.kind) {
    case 'text':
      return new URLSearchParams({ mention: place.id }).toString()
    case 'comment':
      return new URLSearchParams({ thread: place.thread, comment: place.id }).toString()
    case 'chat':
      return new URLSearchParams({ message: place.id }).toString()
  }
}

/** The target in an address's fragment (from `#`); undefined if there is none. */
export function readPlace(hash: string): Place | undefined {
  const named = new URLSearchParams(hash.replace(/^#/, ''))
  const mention = named.get('mention')
  if (mention) return { kind: 'text', id: mention }
  const thread = named.get('thread')
  if (thread) return { kind: 'comment', thread, id: named.get('comment') ?? '' }
  const message = named.get('message')
  return message ? { kind: 'chat', id: message } : undefined
}
