import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** An agent of another program: the official client of MCP with a key. */
export type McpAgent = {
  client: Client
  /** The text of a tool's result. */
  call(tool: string, input?: Record<string, unknown>): Promise<string>
  /** The text of a result that is an error. */
  fail(tool: string, input?: Record<string, unknown>): Promise<string>
}

/** Connects to `/mcp`. With `isOld` the client speaks the protocol of 2025, with a handshake. */
export async function connectMcp(url: string, key: string, isOld = false): Promise<McpAgent> {
  const client = new Client({ name: 'test-agent', version: '1' }, isOld ? {} : { versionNegotiation: { mode: 'auto' } })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  await client.connect(transport)
  const ask = async (tool: string, input: Record<string, unknown>, isError: boolean): Promise<string> => {
    const result = await client.callTool({ name: tool, arguments: input })
    const [content] = result.content
    const text = content?.type === 'text' ? content.text : ''
    if ((result.isError === true) !== isError) throw new Error(`${tool}: ${text}`)
    return text
  }
  return {
    client,
    call: (tool, input = {}) => ask(tool, input, false),
    fail: (tool, input = {}) => ask(tool, input, true),
  }
}
