import { ToolServerName } from '@copydesk/protocol'
import { z } from 'zod'

const Command = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().min(1).optional(),
})

/**
 * The variable with the tool servers that are started as processes, by name. Only the configuration contains commands:
 * an operator's account must not become a shell on the machine.
 */
export const ToolServerVariables = z
  .object({
    TOOL_SERVERS: z
      .string()
      .transform((given, context): unknown => {
        try {
          return JSON.parse(given)
        } catch {
          context.addIssue({ code: 'custom', message: 'not JSON' })
          return z.NEVER
        }
      })
      .pipe(z.record(ToolServerName, Command))
      .default({}),
  })
  .transform(({ TOOL_SERVERS }) => TOOL_SERVERS)

/** The commands of tool servers that are started as processes, by the names of the servers. */
export type ToolServerCommands = z.output<typeof ToolServerVariables>
