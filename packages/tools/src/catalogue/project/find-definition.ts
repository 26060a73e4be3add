import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { evident } from '../../tool/fields.ts'
import { requireProject, showPath } from './project-calls.ts'
import { symbolSearch } from './symbol-places.ts'

const input = z.object({
  symbol: z.string().trim().min(1).max(500).describe("Its name, or 'Class.member'."),
  type: evident(z.enum(['function', 'class', 'variable', 'import']).optional(), 'Types count as class.'),
})

/** Finds the definitions of a symbol in the project, or with `import` the statements that import it. */
export const findDefinition = defineTool({
  name: 'find_definition',
  description: 'Finds where a function, class, type or variable is defined in the project. Shows path:line: text.',
  input,
  changes: false,
  needs: 'project',
  isOutside: true,
  activity: ({ symbol }) => activityOn('Looking up', symbol),
  async handler({ symbol, type }, session) {
    const found = requireProject(session)
    if (!found.ok) return found
    const { symbols } = found.project
    return symbolSearch(session, {
      of: showPath(symbol),
      noun: type === 'import' ? 'import' : 'definition',
      none: 'Nothing in the source files defines it. search_files finds other texts.',
      find: (options) => symbols.findDefinition(symbol, { ...options, ...(type === undefined ? {} : { type }) }),
    })
  },
})
