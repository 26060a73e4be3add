import { OutgoingTool, type OwnToolPolicy, type ToolPolicy } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'

/** The policies of the server's own tools that send data out. */
export class ToolPolicies {
  readonly #db: Kysely<Tables>
  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  /** The policy of each tool; `allow` unless an operator has chosen another. */
  async list(): Promise<OwnToolPolicy[]> {
    const rows = await this.#db.selectFrom('tool_policies').selectAll().execute()
    const chosen = new Map(rows.map(({ tool, policy }) => [tool, policy]))
    return OutgoingTool.options.map((tool) => ({ tool, policy: chosen.get(tool) ?? 'allow' }))
  }

  async set(tool: OutgoingTool, policy: ToolPolicy): Promise<void> {
    await this.#db
      .insertInto('tool_policies')
      .values({ tool, policy })
      .onConflict((conflict) => conflict.column('tool').doUpdateSet({ policy }))
      .execute()
  }
}
