import type { ReplyEvent } from '@copydesk/agent-panel'

/**
 * A server's half: the events of a reply as server-sent events, to be the body of a `Response`. A failure becomes the
 * last event.
 */
export function toEventStream(events: AsyncIterable<ReplyEvent>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async start(controller) {
      const send = (event: ReplyEvent | { type: 'failed'; message: string }) =>
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`))
      try {
        for await (const event of events) send(event)
      } catch {
        // What a service says about itself is for the log, not for people.
        send({ type: 'failed', message: 'The model service gave no answer. Try again.' })
      }
      controller.close()
    },
  })
}

type Received = ReplyEvent | { type: 'failed'; message: string }

/** The browser's half: reads them back. */
export async function* fromEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<ReplyEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const lines = (rest + decoder.decode(next.value, { stream: true })).split('\n\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const event = JSON.parse(line.slice('data: '.length)) as Received
      if (event.type === 'failed') throw new Error(event.message)
      yield event
    }
  }
}
