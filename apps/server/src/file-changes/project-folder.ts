import type { ToolFailure } from '@copydesk/tools'
import { failure } from '@copydesk/tools'
import { findProjectRoot, type ProjectRoot } from '../project/project-root.ts'

/** The folder of the project, if one is configured, and the hidden folders in it. */
export type ProjectFolder = { directory: string | undefined; hidden: readonly string[] }

/** Calls `act` with the folder's real path; `unavailable` without a project. */
export async function inFolder<T>(
  { directory, hidden }: ProjectFolder,
  act: (root: ProjectRoot) => Promise<T>,
): Promise<T | ToolFailure> {
  if (directory === undefined) {
    return failure('unavailable', 'The server has no project.', 'Say that an operator sets PROJECT_DIR.')
  }
  const found = await findProjectRoot(directory, hidden)
  return found.ok ? act(found.root) : found
}
