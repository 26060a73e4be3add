import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { failure, shorten, success } from '../../common/result.ts'
import { cutText } from '../../text/window.ts'
import { projectPath, requireProject, showPath, takeLines } from './project-calls.ts'
import { evident } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const input = z.object({
  path: projectPath,
  from: evident(z.number().int().min(1).optional(), 'First line, from 1.'),
  to: evident(z.number().int().min(1).optional(), 'Last line.'),
})

// Longer lines are generated code or data.
const longestLine = 1_000

/** Reads lines of a file of the project, numbered from 1; `to` beyond the end means the end. */
export const readFile = defineTool({
  name: 'read_file',
  description: "Reads a text file of the project with line numbers, '10: text'. Read only the lines that you need.",
  input,
  changes: false,
  needs: 'project',
  isOutside: true,
  activity: ({ path }) => activityOn('Reading', path),
  async handler({ path, from = 1, to = Infinity }, session) {
    const found = requireProject(session)
    if (!found.ok) return found
    const read = await found.project.read(path)
    if (!read.ok) return read
    const shown = showPath(read.path)
    const lines = linesOf(read.text)
    if (lines.length === 0)
      return success(`${shown} is empty.`, localizable`Read ${shorten(shown, 100)}`, { path: read.path, totalLines: 0 })
    if (from > lines.length || to < from) {
      return failure(
        'out_of_range',
        localizable`${shown} has ${lines.length} lines.`,
        localizable`from can be 1 to ${lines.length}; to isn't below from.`,
      )
    }
    const { fileLines, fileCharacters } = session.limits
    const asked = lines.slice(from - 1, Math.min(to, from - 1 + fileLines))
    const numbered = asked.map((line, index) => `${from + index}: ${cutText(line, longestLine)}`)
    const fitting = takeLines(numbered, fileCharacters)
    const last = from + fitting.length - 1
    const isCut = last < Math.min(to, lines.length)
    const more = isCut ? `\n…and ${Math.min(to, lines.length) - last} more lines: go on with "from": ${last + 1}` : ''
    return success(
      `${shown}, lines ${from} to ${last} of ${lines.length}:\n${fitting.join('\n')}${more}`,
      localizable`Read ${shorten(shown, 100)}`,
      { path: read.path, from, to: last, totalLines: lines.length },
    )
  },
})

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
