import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { planTable, tableOperations } from '../../edit/tables/plan-table.ts'
import { failure, type ToolFailure } from '../../common/result.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import { evident, blockNumber } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const index = z.number().int().min(0)
const column = z.union([index, z.string()])

const input = z.object({
  block: evident(blockNumber, 'Any row of the table, or item of the list.'),
  operation: z.enum(tableOperations),
  row: index.optional().describe("From 0, head included; the block's by default. insert_row: where it will be."),
  column: column.optional().describe('From 0, or its header text. insert_column: where it will be; last by default.'),
  to: z
    .union([index, z.string(), z.object({ row: index, column })])
    .optional()
    .describe('move: the new place. delete: the last. merge: the last column, or a corner.'),
  cells: z
    .array(z.string())
    .optional()
    .describe('Of a new row or column, header first; set_cell: from column on; from_list: the head.'),
  order: evident(z.enum(['ascending', 'descending']).optional(), 'Of sort.'),
  remove: evident(z.boolean().optional(), 'set_header: takes it away.'),
})

/** Changes the structure of a table or its cells, or converts a list to a table or a table to a list. */
export const editTable = defineTool({
  name: 'edit_table',
  description: 'Changes a table, makes a list a table (from_list) or a table a list (to_list).',
  input,
  changes: true,
  needs: 'table',
  activity: localizable`Editing a table…`,
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
  return failure('too_large', localizable`cells is longer than ${most} characters.`, 'Fill the cells in several calls.')
}
