import { z } from 'zod'

/**
 * The change of a project file that a call proposes or has made. `base` is the file's text at the time of the proposal,
 * absent for a new file; `content` the new text, including a person's edits. `isStale`: the file has changed since the
 * proposal; `current` is its current text, absent if it can't be read or doesn't exist.
 */
export const FileProposal = z
  .object({
    path: z.string(),
    description: z.string(),
    base: z.string().optional(),
    content: z.string(),
    isWritten: z.boolean(),
    isStale: z.boolean(),
    current: z.string().optional(),
  })
  .meta({ id: 'FileProposal' })
export type FileProposal = z.infer<typeof FileProposal>

/** The tools that change files. The content of their calls isn't in the room: it has a separate route. */
export const fileTools: readonly string[] = ['edit_file', 'create_file']

/**
 * The stateless message that the server sends through an open document's connection when files of the project may have
 * changed, so that shown proposals are fetched again.
 */
export const FILES_CHANGED = 'files-changed'
