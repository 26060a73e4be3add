import { z } from 'zod'

/**
 * The policy for calls of a tool that sends data out of the server: `allow`: approval only after the agent has read
 * outside text, unless the caller has written the sent text; `confirm`: approval of every call; `deny`: the tool isn't
 * offered.
 */
export const ToolPolicy = z.enum(['allow', 'confirm', 'deny'])
export type ToolPolicy = z.infer<typeof ToolPolicy>

/** The server's own tools that send data out. */
export const OutgoingTool = z.enum(['search_web', 'read_web_page', 'search_image', 'insert_image'])
export type OutgoingTool = z.infer<typeof OutgoingTool>

/** The name of a tool server: a prefix of its tools' names, so it never changes. */
export const ToolServerName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,19}$/, 'A name has 1 to 20 small letters, digits and hyphens, and begins with a letter.')

const Address = z
  .url({ protocol: /^https?$/, error: 'Give a complete address that begins with https://.' })
  .max(2000, 'An address has at most 2,000 characters.')
const Token = z
  .string()
  .trim()
  .min(1)
  .max(4000, 'A token has at most 4,000 characters.')
  .regex(/^[\x20-\x7e]+$/, 'A token has only letters, digits and signs of ASCII.')
const Header = z.string().regex(/^[A-Za-z0-9-]{1,60}$/, 'The name of a header has only letters, digits and hyphens.')

/** A new tool server, connected over HTTP. `token` is sent as a bearer token, or unchanged in another `header`. */
export const CreateToolServer = z.object({
  name: ToolServerName,
  url: Address,
  token: Token.exactOptional(),
  header: Header.exactOptional(),
})
export type CreateToolServer = z.infer<typeof CreateToolServer>

/** Changes of a tool server; `token: null` removes the token. */
export const PatchToolServer = z.object({
  url: Address.exactOptional(),
  token: Token.nullable().exactOptional(),
  header: Header.exactOptional(),
  enabled: z.boolean().exactOptional(),
})
export type PatchToolServer = z.infer<typeof PatchToolServer>

/**
 * Changes of one tool of a tool server. `accept` is the `revision` of its changed definition that the operator has
 * reviewed, which replaces the previously accepted one.
 */
export const PatchForeignTool = z.object({ policy: ToolPolicy.exactOptional(), accept: z.string().exactOptional() })
export type PatchForeignTool = z.infer<typeof PatchForeignTool>

/**
 * Why a tool server can't be used. `inside`: its address isn't public; `refused`: it answered 401 or 403; `status`:
 * another error; `protocol`: it violates MCP; `ended`: its process or connection ended; `unset`: its command is no
 * longer in the configuration; `sealed`: its token was stored with another secret of this server.
 */
export const ToolServerTrouble = z.enum([
  'inside',
  'unreachable',
  'slow',
  'refused',
  'status',
  'protocol',
  'ended',
  'unset',
  'sealed',
])
export type ToolServerTrouble = z.infer<typeof ToolServerTrouble>

/**
 * Why a tool can't be offered: its input schema can't be expressed for all models, the schema or the description is too
 * long, or another tool has its name.
 */
export const ForeignToolProblem = z.enum(['schema', 'recursive', 'too_large', 'name_taken'])
export type ForeignToolProblem = z.infer<typeof ForeignToolProblem>

/**
 * A tool of a tool server. `offeredAs` is its name for agents. `changed` is the server's new definition; the tool isn't
 * offered until an operator accepts that. `gone`: the server no longer has it.
 */
export const ForeignTool = z.object({
  name: z.string(),
  offeredAs: z.string(),
  description: z.string(),
  parameters: z.array(z.string()),
  policy: ToolPolicy,
  problem: ForeignToolProblem.nullable(),
  changed: z.object({ revision: z.string(), description: z.string(), parameters: z.array(z.string()) }).nullable(),
  gone: z.boolean(),
})
export type ForeignTool = z.infer<typeof ForeignTool>

/**
 * A tool server. `state` is that of the last attempt, `since` the time of its last change; `reason` and `detail` say
 * why it is down. `leftOut` counts the tools beyond the limit.
 */
export const ToolServer = z
  .object({
    name: z.string(),
    kind: z.enum(['http', 'stdio']),
    url: z.string().nullable(),
    /** The command of a server of kind `stdio`, from the configuration. */
    command: z.string().nullable(),
    hasToken: z.boolean(),
    header: z.string().nullable(),
    enabled: z.boolean(),
    state: z.enum(['untried', 'connecting', 'working', 'down']),
    since: z.iso.datetime().nullable(),
    reason: ToolServerTrouble.nullable(),
    detail: z.string().nullable(),
    tools: z.array(ForeignTool),
    leftOut: z.number().int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ToolServer' })
export type ToolServer = z.infer<typeof ToolServer>

/** The policy of one of the server's own tools. */
export const OwnToolPolicy = z.object({ tool: OutgoingTool, policy: ToolPolicy })
export type OwnToolPolicy = z.infer<typeof OwnToolPolicy>

export const ToolServerList = z.object({ servers: z.array(ToolServer), own: z.array(OwnToolPolicy) })
export type ToolServerList = z.infer<typeof ToolServerList>

export const PutToolPolicy = z.object({ policy: ToolPolicy })
