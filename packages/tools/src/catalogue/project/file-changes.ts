import { z } from 'zod'
import { inEnglish, localizable } from '../../common/localizable.ts'
import { failure, held, shorten, success, type ToolResult } from '../../common/result.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { FileChange } from '../../session/host/project-host.ts'
import type { ToolCallContext } from '../../session/host/session-options.ts'
import { evident } from '../../tool/fields.ts'
import { projectPath, requireProject, showPath } from './project-calls.ts'

export const fileChangeInput = z.object({
  path: projectPath,
  content: evident(z.string(), 'The whole new text of the file.'),
  description: evident(z.string().trim().min(1).max(2_000), 'What changes and why, for the person who decides.'),
})

/** Proposes a change of a file; writes it after a person's approval. */
export async function changeFile(
  change: FileChange,
  session: DocumentSession,
  { callId, approved }: ToolCallContext,
): Promise<ToolResult> {
  const found = requireProject(session)
  if (!found.ok) return found
  const { writing } = found.project
  if (!writing) {
    const hint = 'Say that an operator has to give the server the right to write there.'
    return failure('not_configured', 'The project’s files can’t be changed here.', hint)
  }
  if (approved !== true) {
    const proposed = await writing.propose(callId, change)
    if (!proposed.ok) return proposed
    const path = shorten(showPath(proposed.path), 100)
    return held(change.isNew ? localizable`Create ${path}` : localizable`Change ${path}`, 'The call', [])
  }
  const written = await writing.write(callId, change.content)
  if (!written.ok) return written
  const shown = showPath(written.path)
  const summaryOf = (path: string) => (change.isNew ? localizable`Created ${path}` : localizable`Changed ${path}`)
  const text = `${inEnglish(summaryOf(shown))}, as a person approved it.`
  return success(text, summaryOf(shorten(shown, 100)), { path: written.path })
}
