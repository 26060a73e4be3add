import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { McpCaller, McpDeps } from './mcp-caller.ts'

const prefix = 'copydesk://documents/'
const mimeType = 'text/markdown'
const charactersAtMost = 1_000_000

/** The documents that a caller may open, in pages, as resources. */
export async function listResources(cursor: string | undefined, { agent }: McpCaller, deps: McpDeps) {
  const { id: person } = agent.user
  const asked = cursor === undefined ? {} : { cursor }
  const { documents, nextCursor } = await deps.inTurn(person, () => deps.documents.list(person, asked))
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
  const description = 'The text of a document.'
  const uriTemplate = `${prefix}{document}`
  return { resourceTemplates: [{ uriTemplate, name: 'document', title: 'Document', mimeType, description }] }
}

/** The text of a document as markdown, without suggested changes. @throws ResourceNotFoundError. */
export async function readResource(uri: string, caller: McpCaller, deps: McpDeps) {
  const id = /^copydesk:\/\/documents\/([\w-]{1,100})$/.exec(uri)?.[1]
  const text = id === undefined ? undefined : await readText(id, caller, deps)
  if (text === undefined) throw new ResourceNotFoundError(uri)
  if (text.length > charactersAtMost) {
    const message = `This document has ${text.length} characters, too many for one answer: use read_document.`
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
  }
  return { contents: [{ uri, mimeType, text }] }
}

function readText(id: string, { agent, access }: McpCaller, deps: McpDeps): Promise<string | undefined> {
  return deps.inTurn(agent.user.id, async () => {
    // Checked when its turn has come: rights may have changed while it waited.
    if (!(await access(id))) return undefined
    return deps.documents.render(id, 'markdown', 'original')
  })
}
