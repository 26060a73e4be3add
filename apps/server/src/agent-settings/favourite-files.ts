import { localizable } from '@copydesk/tools/localizable'
import { RequestError } from '../common/errors.ts'
import { inFolder, type ProjectFolder } from '../file-changes/project-folder.ts'
import { createGate } from '../project/project-root.ts'

/**
 * Requires that each path is a file of the project which the agent may read.
 * @throws RequestError `invalid_input` that names the first one that isn't, and why.
 */
export async function requireReadable(folder: ProjectFolder, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  const refused = await inFolder(folder, async (root) => {
    const gate = createGate(root)
    for (const path of paths) {
      const opened = await gate.open(path, 'file')
      if (!opened.ok) return opened
      await opened.handle.close()
    }
    return undefined
  })
  if (!refused) return
  const hint = 'Give paths from the folder of the project, such as docs/style.md.'
  throw new RequestError('invalid_input', localizable`This file can’t be a favourite: ${refused.message}`, hint)
}
