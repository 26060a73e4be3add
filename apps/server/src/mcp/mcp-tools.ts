import { fenceAsData } from '@copydesk/agent'
import { type Access, CreateDocument, ListDocumentsQuery } from '@copydesk/protocol'
import { catalogue, type Tool, toolSchemas } from '@copydesk/tools'
import { z } from 'zod'
import { allows } from '../common/identity.ts'
import { closingTool } from '../runs/outside-runs.ts'
import { callInDocument, leaveDocument, type ToolAnswer, waitForCall, type Waiting } from './document-calls.ts'
import type { McpCaller, McpDeps } from './mcp-caller.ts'

type McpTool = {
  name: string
  description: string
  inputSchema: { type: 'object'; [key: string]: unknown }
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean }
}

type OwnTool = {
  description: string
  input: z.ZodObject
  scope: Access
  run(input: unknown, waiting: Waiting, caller: McpCaller, deps: McpDeps): Promise<ToolAnswer>
}

const documentId = z.string().min(1).max(100).describe('The id of the document, from list_documents.')
const InDocument = z.object({ document: documentId })
const ListArguments = z.object({
  query: ListDocumentsQuery.shape.query.describe('Only documents with these words in title or text.'),
  cursor: ListDocumentsQuery.shape.cursor.describe('From an earlier list, to go on.'),
})
const CreateArguments = z.object({
  title: CreateDocument.shape.title,
  markdown: CreateDocument.shape.markdown.describe('Its text; a heading 1 at the top is its title.'),
})
const CloseArguments = InDocument.extend({
  summary: z.string().max(4000).optional().describe('What you did, for the people in the document.'),
})
const WaitArguments = InDocument.extend({ call: z.string().max(100).describe('The id of the call, from its answer.') })

const ownTools: Readonly<Record<string, OwnTool>> = {
  list_documents: {
    description: 'Lists the documents that you may open, the latest first, or finds some by their words.',
    input: ListArguments,
    scope: 'read',
    run: (input, _waiting, ...rest) => listDocuments(ListArguments.parse(input), ...rest),
  },
  create_document: {
    description: 'Creates a document that belongs to the owner of your key.',
    input: CreateArguments,
    scope: 'write',
    run: (input, _waiting, ...rest) => createDocument(CreateArguments.parse(input), ...rest),
  },
  open_document: {
    description:
      'Joins a document: the people there see you. Says what is in it and how your changes are made. Other tools join by themselves, ' +
      'but after a person has stopped you only this one does: call it then only if the person for whom you work wants it.',
    input: InDocument,
    scope: 'read',
    run: (input, ...rest) => {
      const { document } = InDocument.parse(input)
      return callInDocument(document, { tool: 'get_document_info', arguments: {}, begins: true }, ...rest)
    },
  },
  close_document: {
    description: 'Leaves a document when your work there is done. What you changed stays.',
    input: CloseArguments,
    scope: 'read',
    run: (input, ...rest) => {
      const { document, ...leaving } = CloseArguments.parse(input)
      return leaveDocument(document, { tool: closingTool, arguments: leaving }, ...rest)
    },
  },
  wait_for_result: {
    description:
      'The result of a call that had to wait, for a person’s approval for example. Waits for it for a while.',
    input: WaitArguments,
    scope: 'read',
    run: (input, ...rest) => {
      const { document, call } = WaitArguments.parse(input)
      return waitForCall(document, call, ...rest)
    },
  },
}

/** The tools for the scope of a caller's key: those for lists of documents, then the catalogue. */
export function listTools(caller: McpCaller, deps: McpDeps): McpTool[] {
  const own = Object.entries(ownTools)
    .filter(([, { scope }]) => allows(caller.scope, scope))
    .map(([name, { description, input, scope }]) => {
      const { $schema: _, ...inputSchema } = z.toJSONSchema(input)
      return {
        name,
        description,
        inputSchema: { ...inputSchema, type: 'object' as const },
        annotations: hintsOf(scope),
      }
    })
  return [...own, ...offered(caller, deps).map(toMcpTool)]
}

/**
 * Executes a call; undefined for a tool that isn't offered to this caller.
 * @throws ZodError for invalid arguments; RequestError if the call is refused.
 */
export async function callTool(
  name: string,
  input: Record<string, unknown>,
  waiting: Waiting,
  caller: McpCaller,
  deps: McpDeps,
): Promise<ToolAnswer | undefined> {
  const own = Object.hasOwn(ownTools, name) ? ownTools[name] : undefined
  if (own) return allows(caller.scope, own.scope) ? own.run(input, waiting, caller, deps) : undefined
  if (!offered(caller, deps).some((tool) => tool.name === name)) return undefined
  const { document, ...rest } = input
  return callInDocument(documentId.parse(document), { tool: name, arguments: rest }, waiting, caller, deps)
}

function offered({ scope }: McpCaller, { isSetUp }: McpDeps): Tool[] {
  return catalogue.filter(
    ({ readsOnly, editorsOnly, needs }) =>
      (readsOnly || allows(scope, 'comment')) &&
      (!editorsOnly || allows(scope, 'write')) &&
      (needs === undefined || isSetUp(needs)),
  )
}

function toMcpTool(tool: Tool): McpTool {
  const { properties, required, ...schema } = toolSchemas(tool).anthropic
  const { name, description, readsOnly, isOutside } = tool
  return {
    name,
    description,
    inputSchema: {
      ...schema,
      type: 'object',
      properties: {
        document: { type: 'string', description: 'The id of the document.' },
        ...(properties as Record<string, unknown>),
      },
      required: ['document', ...(Array.isArray(required) ? required : [])],
    },
    // All changes by tools can be undone.
    annotations: { readOnlyHint: readsOnly, destructiveHint: false, openWorldHint: isOutside },
  }
}

function hintsOf(scope: Access): McpTool['annotations'] {
  return { readOnlyHint: scope === 'read', destructiveHint: false, openWorldHint: false }
}

async function listDocuments(
  { query, cursor }: z.infer<typeof ListArguments>,
  { agent }: McpCaller,
  { documents: store, runQueued }: McpDeps,
): Promise<ToolAnswer> {
  const { id: person } = agent.user
  const asked = { ...(query ? { query } : {}), ...(cursor ? { cursor } : {}) }
  const { documents, nextCursor } = await runQueued(person, () => store.list(person, asked))
  if (documents.length === 0) return { text: 'There are no such documents.' }
  const lines = documents.map(({ id, title, role, updatedAt }) => `${id}  ${title}  (${role}, changed ${updatedAt})`)
  const more = nextCursor === null ? '' : `\nThere are more: go on with cursor ${JSON.stringify(nextCursor)}.`
  return { text: fenceAsData('documents: id, title', lines.join('\n')) + more }
}

async function createDocument(
  { title, markdown }: z.infer<typeof CreateArguments>,
  { agent }: McpCaller,
  { documents, runQueued }: McpDeps,
): Promise<ToolAnswer> {
  const { id: person } = agent.user
  const content = { ...(title === undefined ? {} : { title }), ...(markdown === undefined ? {} : { markdown }) }
  const created = await runQueued(person, () => documents.create(person, content))
  return { text: `Created ${JSON.stringify(created.title)} with the id ${created.id}.` }
}
