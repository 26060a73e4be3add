import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { requireProject, showPath } from './project-calls.ts'
import { symbolSearch } from './symbol-places.ts'

const input = z.object({
  modulePath: z
    .string()
    .trim()
    .min(1)
    .max(4_096)
    .describe("A file's path, or a module's name: 'lodash', 'com.acme.Order'."),
})

/** Finds the files of the project that import a module, with the statements. */
export const findImporters = defineTool({
  name: 'find_importers',
  description: 'Finds the imports of a module in the project. Shows path:line: statement.',
  input,
  changes: false,
  needs: 'project',
  isOutside: true,
  activity: ({ modulePath }) => activityOn('Looking up', modulePath),
  async handler({ modulePath }, session) {
    const found = requireProject(session)
    if (!found.ok) return found
    return symbolSearch(session, {
      of: showPath(modulePath),
      noun: 'import',
      none: 'No source file imports it. search_files finds other texts.',
      find: (options) => found.project.symbols.findImporters(modulePath, options),
    })
  },
})
