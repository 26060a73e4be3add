import { z } from 'zod'
import { Access, Role, User } from '../people/people.ts'

/**
 * The highest role that people inherit in a document or folder from the folder that contains it: `owner` gives everyone
 * the same role as there, `none` gives none.
 */
export const Inherits = z.enum([...Role.options, 'none'])
export type Inherits = z.infer<typeof Inherits>

/** A folder that the caller may see. */
export const Folder = z
  .object({
    id: z.string(),
    name: z.string(),
    /** The folder that contains it; null for none, or for one that the caller may not see. */
    parent: z.string().nullable(),
    role: Role,
    access: Access,
    inherits: Inherits,
    /** Whether other people have a role in it. */
    shared: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Folder' })
export type Folder = z.infer<typeof Folder>

/** All folders that the caller may see, by name. */
export const FolderList = z.object({ folders: z.array(Folder) })
export type FolderList = z.infer<typeof FolderList>

const Name = z
  .string()
  .trim()
  .min(1, 'Give the folder a name.')
  .max(120, 'The name of a folder has at most 120 characters.')
  .regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u, 'A name has no control characters.')
const Parent = z.string().min(1).max(100).nullable()

export const CreateFolder = z.object({ name: Name, parent: Parent.optional() })
export type CreateFolder = z.infer<typeof CreateFolder>

/** Changes of a folder. `confirm` accepts the changes of access that result from a move. */
export const PatchFolder = z
  .object({ name: Name, parent: Parent, inherits: Inherits, confirm: z.boolean() })
  .partial()
  .refine(({ confirm: _confirm, ...patch }) => Object.keys(patch).length > 0, 'Give a name, a parent or inherits.')
export type PatchFolder = z.infer<typeof PatchFolder>

/** The target of a move: the id of a folder, or `none`. */
export const MoveQuery = z.object({ to: z.string().min(1).max(100) })

/** A person whose role changes when a document or folder is moved: `from` and `to` are null for no access. */
export const AccessChange = User.extend({ from: Role.nullable(), to: Role.nullable() }).meta({ id: 'AccessChange' })
export type AccessChange = z.infer<typeof AccessChange>

/** The effect of a move on access: at most a hundred of `count` people, and the number of pending e-mail addresses. */
export const MoveEffect = z
  .object({ people: z.array(AccessChange), count: z.number().int(), addresses: z.number().int() })
  .meta({ id: 'MoveEffect' })
export type MoveEffect = z.infer<typeof MoveEffect>
