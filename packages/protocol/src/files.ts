import { z } from 'zod'

/**
 * What a call would change in a file of the project, or has changed. `base` is the file's text when it was proposed,
 * absent for a new file; `content` the new text, as a person has approved it. `isStale`: the file isn't as it was when
 * it was proposed; `current` is its text now, absent if it can't be read or there is none.
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

/** The tools that change files. The content of their calls isn't in the room: it has a route of its own. */
export const fileTools: readonly string[] = ['edit_file', 'create_file']

/**
 * The stateless message that the server sends through an open document's connection when files of the project may have
 * changed, so that shown proposals are fetched again.
 */
export const FILES_CHANGED = 'files-changed'
