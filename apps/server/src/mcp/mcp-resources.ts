import { DocumentList } from '@copydesk/protocol'
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { McpCaller } from './mcp-caller.ts'

const prefix = 'copydesk://documents/'
const mimeType = 'text/markdown'
const charactersAtMost = 1_000_000

/** The documents that a caller may open, in pages, as resources. */
export async function listResources(cursor: string | undefined, { api }: McpCaller) {
  const asked = new URLSearchParams(cursor === undefined ? {} : { cursor })
  const answer = await api({ method: 'GET', url: `/api/documents?${asked}` })
  if (!answer.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, answer.message)
  const { documents, nextCursor } = DocumentList.parse(answer.body)
  return {
    resources: documents.map(({ id, title, updatedAt }) => ({
      uri: prefix + id,
      name: title,
      mimeType,
      annotations: { lastModified: updatedAt },
    })),
    ...(nextCursor === null ? {} : { nextCursor }),
  }
}

/** The form of the addresses of documents. */
export function listResourceTemplates() {
  return {
    resourceTemplates: [
      { uriTemplate: `${prefix}{document}`, name: 'document', title: 'Document', mimeType, description: 'The text of a document.' },
    ],
  }
}

/** The text of a document as markdown, without suggested changes. */
export async function readResource(uri: string, { api }: McpCaller) {
  const id = /^copydesk:\/\/documents\/([\w-]{1,100})$/.exec(uri)?.[1]
  const answer = id === undefined ? undefined : await api({ method: 'GET', url: `/api/documents/${id}/export?format=markdown` })
  if (!answer?.ok) throw new ResourceNotFoundError(uri)
  const { text } = answer
  if (text.length > charactersAtMost) {
    const message = `This document has ${text.length} characters, too many for one answer: read it in parts with read_document.`
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
  }
  return { contents: [{ uri, mimeType, text }] }
}
