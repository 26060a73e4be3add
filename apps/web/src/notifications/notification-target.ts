import type { NotificationPlace } from '@copydesk/protocol'

/** A target in a document that an address can name in its fragment. */
export type Place = NotificationPlace

/** The target in an address's fragment (from `#`), as `pathOfPlace` writes it; undefined if there is none. */
export function readPlace(hash: string): Place | undefined {
  const named = new URLSearchParams(hash.replace(/^#/, ''))
  const mention = named.get('mention')
  if (mention) return { kind: 'text', id: mention }
  const thread = named.get('thread')
  if (thread) return { kind: 'comment', thread, id: named.get('comment') ?? '' }
  const message = named.get('message')
  return message ? { kind: 'chat', id: message } : undefined
}
