import type { ToolFailure } from '@copydesk/tools'
import { failure } from '@copydesk/tools'
import { findProjectRoot, type ProjectRoot } from '../project/project-root.ts'

/** The folder of the project, if one is configured, and the folders in it that stay closed. */
export type ProjectFolder = { directory: string | undefined; hidden: readonly string[] }

/** Acts in the folder by its real path; `unavailable` where there is none. */
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
