import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { planTable, tableOperations } from '../edit/plan-table.ts'
import { failure, type ToolFailure } from '../result.ts'
import type { DocumentSession } from '../session/document-session.ts'
import { blockNumber } from './fields.ts'

const index = z.number().int().min(0)
const column = z.union([index, z.string()])

const input = z.object({
  block: blockNumber.describe('Any row of the table (from_list: any item of the list), by its number in [ ].'),
  operation: z.enum(tableOperations),
  row: index
    .optional()
    .describe("Row from 0, the head included; by default the block's. insert_row: the index of the new row."),
  column: column
    .optional()
    .describe('Column from 0 or its header text. insert_column: the index of the new column, by default the last.'),
  to: z
    .union([index, z.string(), z.object({ row: index, column })])
    .optional()
    .describe('move: the new index. delete: the last row or column. merge: the last column, or the opposite corner.'),
  cells: z
    .array(z.string())
    .optional()
    .describe(
      'Texts, inline markdown: of a new row, a new column from its header on, or the cells from column on (set_cell); the head for from_list.',
    ),
  order: z.enum(['ascending', 'descending']).optional().describe('For sort; ascending by default.'),
  remove: z.boolean().optional().describe('set_header: takes the header away.'),
})

/** Changes the structure of a table, or its cells; a list becomes a table and a table a list. */
export const editTable = defineTool({
  name: 'edit_table',
  description:
    'Changes a table: rows, columns, cells, sorting the rows below the head, headers, merging and splitting. from_list makes a list a table, to_list a table a list.',
  input,
  changes: true,
  needs: 'table',
  activity: 'Editing a table…',
  handler(given, session, call) {
    const tooLong = checkLength(given.cells ?? [], session)
    if (tooLong) return tooLong
    return session.commit(call, (view) => {
      const resolved = session.resolve(given.block)
      return resolved.ok ? planTable(view, resolved.block, `block [${given.block}]`, given) : resolved
    })
  },
})

function checkLength(cells: readonly string[], { limits }: DocumentSession): ToolFailure | undefined {
  const length = cells.reduce((sum, text) => sum + text.length, 0)
  if (length <= limits.insertCharacters) return undefined
  const most = limits.insertCharacters.toLocaleString('en')
  return failure('too_large', `cells is longer than ${most} characters.`, 'Fill the cells in several calls.')
}
