import { cutText } from '@copydesk/tools'
import { z } from 'zod'

const Content = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  mimeType: z.string().optional(),
  data: z.string().optional(),
  name: z.string().optional(),
  uri: z.string().optional(),
  resource: z
    .looseObject({ uri: z.string().optional(), mimeType: z.string().optional(), text: z.string().optional() })
    .optional(),
})

/** The fields of a tool server's answer that are read. */
export const CallResult = z.looseObject({
  content: z.array(Content).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})

/** The result of a call as text of at most `limit` characters. Other content is replaced by a note. */
export function resultText({ content = [], structuredContent }: z.infer<typeof CallResult>, limit: number): string {
  const parts = content.map(partText).filter((part) => part !== '')
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent))
  const text = parts.join('\n\n').toWellFormed()
  if (text === '') return 'The result is empty.'
  const left = text.length - limit
  return left <= 0 ? text : `${cutText(text, limit)}\n\n(The last ${left} of ${text.length} characters were cut off.)`
}

function partText({ type, text, data = '', mimeType, name, uri, resource }: z.infer<typeof Content>): string {
  if (type === 'text') return text ?? ''
  if (type === 'resource_link') return `[a resource that was not read: ${name ?? ''} ${uri ?? ''}]`
  if (type === 'resource') return resource?.text ?? `[a resource that is no text: ${resource?.uri ?? ''}]`
  return `[${type}, ${mimeType ?? 'of an unknown type'}, ${Math.ceil((data.length * 3) / 4096)} kB, not shown]`
}
