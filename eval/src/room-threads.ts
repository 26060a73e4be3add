import { roomTypes } from '@copydesk/schema'
import type * as Y from 'yjs'
import { z } from 'zod'
import type { SeenThread } from './outcome.ts'

const Thread = z.object({
  id: z.string(),
  quote: z.string(),
  resolved: z.boolean(),
  comments: z.array(z.object({ author: z.object({ name: z.string() }), text: z.string() })),
})

/** The comment threads of a room document, in the order in which they were made. @throws if one has another layout. */
export function readThreadsOf(room: Y.Doc): SeenThread[] {
  return [...room.getMap(roomTypes.threads).values()].map((value) => {
    const { comments, ...thread } = Thread.parse(value)
    return { ...thread, comments: comments.map(({ author, text }) => ({ author: author.name, text })) }
  })
}

const Highlight = z.object({ color: z.string() })

/** The colours of the highlights of a room document. @throws if one has another layout. */
export function readHighlightsOf(room: Y.Doc): string[] {
  return [...room.getMap('highlights').values()].map((value) => Highlight.parse(value).color)
}
