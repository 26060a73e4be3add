import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { failure, shorten, success } from '../../common/result.ts'
import { describeEntry, projectPath, requireProject, showPath, stoppedEarly } from './project-calls.ts'
import { evident } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const input = z.object({
  path: projectPath,
  recursive: evident(z.boolean().optional(), 'With all folders below it.'),
  page: evident(z.number().int().min(1).optional(), 'From 1.'),
})

/** Lists a folder of the project in pages, with types, sizes and dates. Ignored and secret files are omitted. */
export const listFiles = defineTool({
  name: 'list_files',
  description: 'Lists the files and folders in a folder of the project, in pages.',
  input,
  changes: false,
  needs: 'project',
  isOutside: true,
  activity: ({ path }) => activityOn('Listing', path),
  async handler({ path, recursive = false, page = 1 }, session) {
    const found = requireProject(session)
    if (!found.ok) return found
    const listed = await found.project.list(path, recursive)
    if (!listed.ok) return listed
    const { entries, isWhole } = listed
    const size = session.limits.fileEntries
    const pages = Math.max(1, Math.ceil(entries.length / size))
    if (page > pages)
      return failure('out_of_range', localizable`There is no page ${page}.`, localizable`page can be 1 to ${pages}.`)
    const shown = entries.slice((page - 1) * size, page * size)
    const rest = entries.length - (page - 1) * size - shown.length
    const count = `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`
    const lines = [
      `${showPath(path)}: ${count}${pages > 1 ? `, page ${page} of ${pages}` : ''}`,
      ...shown.map(describeEntry),
      ...(rest > 0 ? [`…and ${rest} more: go on with "page": ${page + 1}`] : []),
      ...(isWhole ? [] : [stoppedEarly]),
    ]
    const summary = path === '.' ? localizable`Listed the project` : localizable`Listed ${shorten(showPath(path), 100)}`
    return success(lines.join('\n'), summary, {
      total: entries.length,
      page,
      pages,
      entries: shown,
    })
  },
})
