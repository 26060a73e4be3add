import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { success } from '../../common/result.ts'
import { createNamePattern } from '../../text/name-pattern.ts'
import { describeEntry, insideFolder, requireProject, showPath, stoppedEarly } from './project-calls.ts'
import { counted, inEnglish, localizable } from '../../common/localizable.ts'

const input = z.object({
  pattern: z.string().min(1).max(1_000).describe("With * and ?: '*.test.ts', 'src/**/index.ts'."),
  path: insideFolder,
})

/** Finds files and folders of the project by name. A pattern with a slash is matched against whole paths. */
export const findFiles = defineTool({
  name: 'find_files',
  description: 'Finds the files and folders of the project by their names.',
  input,
  changes: false,
  needs: 'project',
  isOutside: true,
  activity: ({ pattern }) => activityOn('Looking for', pattern),
  async handler({ pattern, path = '.' }, session) {
    const found = requireProject(session)
    if (!found.ok) return found
    const listed = await found.project.list(path, true)
    if (!listed.ok) return listed
    const isNamed = createNamePattern(pattern)
    const files = listed.entries.filter((entry) => isNamed(entry.path))
    const shown = files.slice(0, session.limits.fileEntries)
    const rest = files.length - shown.length
    const summary = localizable`${counted(files.length, 'file')} for "${showPath(pattern.slice(0, 60))}"`
    const none = 'No name matches. A * matches any characters, as in *name*.'
    const lines = [
      ...(files.length === 0 ? [none] : [`${inEnglish(summary)}:`]),
      ...shown.map(describeEntry),
      ...(rest > 0 ? [`…and ${rest} more: name a folder as path, or more of the name.`] : []),
      ...(listed.isWhole ? [] : [stoppedEarly]),
    ]
    return success(lines.join('\n'), summary, { total: files.length, files: shown })
  },
})
