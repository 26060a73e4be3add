import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createTestMcpServer, createTestTools } from './misbehaving-tools.ts'

/** The test server as a process, which writes the reason of its end to its error output. */
const tools = createTestTools()
process.stderr.write(`secret is ${process.env.SECRET ?? 'unset'}, given is ${process.env.GIVEN ?? 'unset'}\n`)
tools.tools.push({
  name: 'variables',
  description: JSON.stringify(process.env.SECRET ?? 'none'),
  inputSchema: { type: 'object' },
})
serveStdio(() =>
  createTestMcpServer(tools, () => {
    process.stderr.write('out of memory\n')
    process.exit(3)
  }),
)
