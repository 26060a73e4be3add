import { localizable } from '../common/localizable.ts'
import { catalogue } from '../catalogue/index.ts'
import type { Tool } from '../tool/define-tool.ts'
import { failure, type ToolResult } from '../common/result.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { ToolCallContext } from '../session/host/session-options.ts'

/** Alternative tool names that models use. */
const aliases: Readonly<Record<string, string>> = {
  insertText: 'insert_text',
  replaceText: 'replace_text',
  applyFormatting: 'apply_formatting',
}

/** The offered tool with this name or alias; undefined if there is none. */
export function findTool(name: string, offered: readonly Tool[] = catalogue): Tool | undefined {
  const known = Object.hasOwn(aliases, name) ? aliases[name] : name
  return offered.find((tool) => tool.name === known)
}

/**
 * Executes a tool call of a model: finds the tool among those offered, validates the input, runs it. Every error of a
 * model is a result, not an exception; the result's text ends with the concurrent changes of others. A call whose
 * receipt is in the document was applied before and returns its first result again; without a `callId` each call is a
 * new one.
 */
export async function executeToolCall(
  name: string,
  input: unknown,
  session: DocumentSession,
  call: Partial<ToolCallContext> & { tools?: readonly Tool[] } = {},
): Promise<ToolResult> {
  session.others.callStarted()
  const result = await execute(name, input, session, call)
  // The model doesn't read a call that waits for approval.
  const others = !result.ok && result.code === 'held' ? undefined : session.others.report()
  return others === undefined ? result : { ...result, text: `${result.text}\n${others}` }
}

async function execute(
  name: string,
  input: unknown,
  session: DocumentSession,
  { tools: offered = catalogue, callId = crypto.randomUUID(), ...approval }: Parameters<typeof executeToolCall>[3] = {},
): Promise<ToolResult> {
  const applied = session.receipt(callId)
  if (applied) return applied
  const tool = findTool(name, offered)
  if (tool) {
    const run = (): ToolResult | Promise<ToolResult> => tool.run(input, session, { callId, ...approval })
    return (await session.live.settle(callId, run)) ?? run()
  }
  const names = offered.map((each) => each.name).join(', ')
  return failure(
    'unknown_tool',
    localizable`There is no tool ${name.slice(0, 100)} in this run.`,
    localizable`The tools are: ${names}.`,
  )
}
