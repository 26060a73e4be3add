/** Tables of settings. Times, ids and JSON as in `Tables`. */
export type SettingsTables = {
  /**
   * What operators have set for all runs, in one row. `limits` is JSON, the changed limits by name; `files` is JSON, a
   * list of paths.
   */
  agent_settings: { id: number; limits: string; instructions: string; files: string }
  /** What a person has set for the runs that they start; `files` as above. */
  agent_preferences: { person: string; instructions: string; files: string }
}
