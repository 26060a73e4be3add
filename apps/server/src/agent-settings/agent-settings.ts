import type {
  Language,
  AgentPreferences,
  AgentSettings as ShownSettings,
  PatchAgentPreferences,
  PatchAgentSettings,
} from '@copydesk/protocol'
import type { ToolLimits } from '@copydesk/tools'
import { localizable } from '@copydesk/tools/localizable'
import type { Kysely } from 'kysely'
import { RequestError } from '../common/errors.ts'
import { type ProjectFolder, inFolder } from '../file-changes/project-folder.ts'
import { createPathGuard } from '../project/project-root.ts'
import type { Tables } from '../store/tables.ts'
import { changeLimits, listLimits, type RunLimits } from './limits.ts'

export type AgentSettingsDeps = {
  db: Kysely<Tables>
  projectFolder: ProjectFolder
  /** The limits that are fixed by variables of the server. */
  fixed: Partial<RunLimits>
}

/** The settings of one run. `files` are paths that were readable when they were saved; each list names its owner. */
export type RunSettings = {
  limits: Partial<ToolLimits>
  /** The server's instructions, then those of the person who started the run; '' for none. */
  instructions: { server: string; person: string }
  files: { server: readonly string[]; person: readonly string[] }
  /** The last language of that person's interface; null if unknown. */
  language: Language | null
}

type InstructionSettings = { instructions: string; files: string[] }
type InstructionRow = { instructions: string; files: string }

/** The settings of operators for all runs, and of people for their own runs. A run reads them when it is executed. */
export class AgentSettings {
  readonly #deps: AgentSettingsDeps
  constructor(deps: AgentSettingsDeps) {
    this.#deps = deps
  }

  /** The operators' settings. */
  async read(): Promise<ShownSettings> {
    const { limits, ...standing } = await this.#server()
    return { ...standing, limits: listLimits(this.#deps.fixed, limits), hasProject: this.#hasProject() }
  }

  /**
   * Changes the operators' settings; omitted fields stay unchanged.
   * @throws RequestError `invalid_input`, `conflict` for a limit that a variable sets.
   */
  async change({ limits, ...standing }: PatchAgentSettings): Promise<ShownSettings> {
    const { db, fixed } = this.#deps
    await this.#requireReadable(standing.files, (await this.#server()).files)
    await db.transaction().execute(async (trx) => {
      const now = await this.#server(trx)
      const changed = limits === undefined ? {} : { limits: JSON.stringify(changeLimits(fixed, now.limits, limits)) }
      await trx
        .updateTable('agent_settings')
        .set({ ...toRow({ ...now, ...standing }), ...changed })
        .execute()
    })
    return this.read()
  }

  /** A person's settings for their own runs. */
  async preferencesOf(person: string): Promise<AgentPreferences> {
    return { ...(await this.#own(person)), hasProject: this.#hasProject() }
  }

  /** Changes a person's settings; omitted fields stay unchanged. @throws RequestError `invalid_input`. */
  async changePreferences(person: string, given: PatchAgentPreferences): Promise<AgentPreferences> {
    await this.#requireReadable(given.files, (await this.#own(person)).files)
    await this.#deps.db.transaction().execute(async (trx) => {
      const row = toRow({ ...(await this.#own(person, trx)), ...given })
      await trx
        .insertInto('agent_preferences')
        .values({ person, ...row })
        .onConflict((conflict) => conflict.column('person').doUpdateSet(row))
        .execute()
    })
    return this.preferencesOf(person)
  }

  /** The settings of a run that this person started. */
  async forRun(person: string): Promise<RunSettings> {
    const { db } = this.#deps
    const account = db.selectFrom('people').select('language').where('id', '=', person).executeTakeFirst()
    const [server, own, known] = await Promise.all([this.#server(), this.#own(person), account])
    const { rounds: _rounds, ...limits } = { ...server.limits, ...this.#deps.fixed }
    return {
      limits,
      instructions: { server: server.instructions, person: own.instructions },
      files: { server: server.files, person: own.files },
      language: known?.language ?? null,
    }
  }

  async #server(db: Kysely<Tables> = this.#deps.db): Promise<InstructionSettings & { limits: Partial<RunLimits> }> {
    const row = await db.selectFrom('agent_settings').selectAll().executeTakeFirstOrThrow()
    return { ...toInstructionSettings(row), limits: JSON.parse(row.limits) as Partial<RunLimits> }
  }

  async #own(person: string, db: Kysely<Tables> = this.#deps.db): Promise<InstructionSettings> {
    const row = await db.selectFrom('agent_preferences').selectAll().where('person', '=', person).executeTakeFirst()
    return row ? toInstructionSettings(row) : { instructions: '', files: [] }
  }

  // Only added paths are checked, so that other settings can be changed after a listed file was deleted.
  async #requireReadable(given: readonly string[] = [], before: readonly string[]): Promise<void> {
    const added = given.filter((path) => !before.includes(path))
    await requireReadable(this.#deps.projectFolder, added)
  }

  #hasProject(): boolean {
    return this.#deps.projectFolder.directory !== undefined
  }
}

function toInstructionSettings({ instructions, files }: InstructionRow): InstructionSettings {
  return { instructions, files: JSON.parse(files) as string[] }
}

function toRow({ instructions, files }: InstructionSettings): InstructionRow {
  return { instructions, files: JSON.stringify(files) }
}

/**
 * Requires that each path is a project file that the agent may read.
 * @throws RequestError `invalid_input` with the first other path and the reason.
 */
async function requireReadable(folder: ProjectFolder, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  const refused = await inFolder(folder, async (root) => {
    const guard = createPathGuard(root)
    for (const path of paths) {
      const opened = await guard.open(path, 'file')
      if (!opened.ok) return opened
      await opened.handle.close()
    }
    return undefined
  })
  if (!refused) return
  const hint = 'Give paths from the folder of the project, such as docs/style.md.'
  throw new RequestError('invalid_input', localizable`This file can’t be a favourite: ${refused.message}`, hint)
}
