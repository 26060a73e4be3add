import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { failure, shorten, success } from '../../common/result.ts'
import { createSearcher } from '../../text/search.ts'
import { createNamePattern } from '../../text/name-pattern.ts'
import { cutText } from '../../text/window.ts'
import { insideFolder, requireProject, showPath, stoppedEarly, takeLines } from './project-calls.ts'
import { evident } from '../../tool/fields.ts'
import { counted, inEnglish, localizable } from '../../common/localizable.ts'

const input = z.object({
  pattern: z.string().min(1).max(1_000).describe('An RE2 pattern, for single lines; (?i) ignores case.'),
  path: insideFolder,
  filePattern: evident(z.string().min(1).max(1_000).optional(), "Names of files: '*.ts'."),
})

const patternHint =
  'pattern: a regular expression in RE2 syntax, without look-around and back-references; a backslash before . ( ) [ ] { } finds these themselves.'

// Longer excerpts of a line use context without benefit.
const longestLine = 300

/** Finds the lines of the project's text files that match a regular expression. */
export const searchFiles = defineTool({
  name: 'search_files',
  description: 'Searches in the text of the project’s files. Shows path:line: text.',
  input,
  changes: false,
  needs: 'project',
  isOutside: true,
  activity: ({ pattern }) => activityOn('Searching for', pattern),
  async handler({ pattern, path = '.', filePattern }, session) {
    const found = requireProject(session)
    if (!found.ok) return found
    const made = createSearcher(pattern, true, true)
    if (!made.ok) return failure(made.code, made.message, patternHint)
    const holds = filePattern === undefined ? () => true : createNamePattern(filePattern)
    const searched = await found.project.search({ pattern, path, holds, most: session.limits.fileMatches })
    if (!searched.ok) return searched
    const { matches, total, isWhole } = searched
    const summary = localizable`${counted(total, 'match', 'matches')} for "${shorten(pattern, 60)}"`
    const all = matches.map((each) => `${showPath(each.path)}:${each.line}: ${cutText(each.text.trim(), longestLine)}`)
    const shown = takeLines(all, session.limits.fileCharacters)
    const rest = total - shown.length
    const lines = [
      total === 0 ? 'No line matches.' : `${inEnglish(summary)}:`,
      ...shown,
      ...(rest > 0 ? [`…and ${rest} more: name a folder as path, a filePattern, or more of the line.`] : []),
      ...(isWhole ? [] : [stoppedEarly]),
    ]
    return success(lines.join('\n'), summary, { total, matches: matches.slice(0, shown.length) })
  },
})
