import type { ToolFailure } from '../../common/result.ts'

/** A change of a file: its whole new text, and what the change is for. `isNew` means that there is no such file yet. */
export type FileChange = { path: string; content: string; description: string; isNew: boolean }

/** The outcome: `path` is the file's real path in the project. */
export type FileOutcome = { ok: true; path: string } | ToolFailure

/**
 * Changes of a project's files. None happens before a person has approved it, in any mode. Paths are untrusted, and
 * what the host refuses to read it refuses to write. `call` identifies the tool call, see `ToolCallContext`.
 */
export type ProjectWriting = {
  /** Stores what a call would change, for people to decide on. */
  propose(call: string, change: FileChange): Promise<FileOutcome>
  /**
   * Writes what was approved of a proposal; `content` may be a person's. A file that has changed since the proposal is
   * `stale`. A call that is repeated after it was carried out has the same outcome again.
   */
  write(call: string, content: string): Promise<FileOutcome>
}
