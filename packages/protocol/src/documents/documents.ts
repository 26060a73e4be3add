import { z } from 'zod'
import { Inherits } from './folders.ts'
import { Access, Author, Role, User } from '../people/people.ts'

/** The effect of an agent's changes on the text: applied, as tracked changes, or held for approval. */
export const AgentMode = z.enum(['edit', 'suggest', 'ask'])
export type AgentMode = z.infer<typeof AgentMode>

/** The family of fonts in which a document's text is shown. */
export const DocumentFont = z.enum(['sans', 'serif', 'mono'])
export type DocumentFont = z.infer<typeof DocumentFont>

const Title = z.string().trim().max(300, 'A title has at most 300 characters.')

/** The last person who edited a document, or the agent; people have a color. */
export const DocumentEditor = Author.extend({ color: User.shape.color.optional() }).meta({ id: 'DocumentEditor' })
export type DocumentEditor = z.infer<typeof DocumentEditor>

/** A document in lists and on its page. Times are ISO 8601. */
export const DocumentSummary = z
  .object({
    id: z.string(),
    title: z.string(),
    role: Role,
    access: Access,
    agentMode: AgentMode,
    /** Whether editors may share the document; otherwise only owners may. */
    editorsShare: z.boolean(),
    trashed: z.boolean(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    /** The last editor; null if unknown. */
    editedBy: DocumentEditor.nullable(),
    /** The first owner. */
    owner: User.nullable(),
    /**
     * The last four people who have opened it and still have access, the latest first, of `peopleCount`, at most
     * twenty.
     */
    people: z.array(User),
    peopleCount: z.number().int(),
    /** The beginning of the text, without the title: one line of at most 200 characters. */
    preview: z.string(),
    starred: z.boolean(),
    /** The folder it is in; null if it is in none, or in one that the caller may not see. */
    folder: z.string().nullable(),
    inherits: Inherits,
    /** The time of its permanent deletion: set in the trash, unless the trash is kept forever. */
    deletesAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Document' })
export type DocumentSummary = z.infer<typeof DocumentSummary>

/** The place of a document or folder: the id of a folder, or null for no folder. */
const Target = z.string().min(1).max(100).nullable()

export const CreateDocument = z.object({
  title: Title.optional(),
  markdown: z.string().optional(),
  folder: Target.optional(),
})
export type CreateDocument = z.infer<typeof CreateDocument>

/** Changes of a document. `confirm` accepts the changes of access that result from moving it to another folder. */
export const PatchDocument = z
  .object({
    title: Title.min(1, 'A title needs at least one character.'),
    agentMode: AgentMode,
    font: DocumentFont,
    folder: Target,
    starred: z.boolean(),
    confirm: z.boolean(),
  })
  .partial()
  .refine(
    ({ confirm: _confirm, ...patch }) => Object.keys(patch).length > 0,
    'Give a title, an agentMode, a font, a folder or starred.',
  )
export type PatchDocument = z.infer<typeof PatchDocument>

/** A copy of a document: its title, by default `Copy of …`, and its folder, by default the same if that is allowed. */
export const DuplicateDocument = z.object({ title: Title, folder: Target }).partial()
export type DuplicateDocument = z.infer<typeof DuplicateDocument>

/** The order of a list: the last edited first, the last created first, or by title. */
export const DocumentSort = z.enum(['edited', 'created', 'title'])
export type DocumentSort = z.infer<typeof DocumentSort>

/**
 * The documents to list, and their order. `owner`: the caller's own, or those of others; `person`: those that this
 * person has opened and still may open; `folder`: those in a folder, or `none`, in no folder that the caller may see.
 * With `query`, `folder` includes its subfolders.
 */
export const ListDocumentsQuery = z.object({
  query: z.string().max(200).optional(),
  trash: z.stringbool().optional(),
  sort: DocumentSort.optional(),
  owner: z.enum(['me', 'others']).optional(),
  starred: z.stringbool().optional(),
  person: z.string().max(100).optional(),
  folder: z.string().max(100).optional(),
  cursor: z.string().max(1000).optional(),
})
export type ListDocumentsQuery = z.infer<typeof ListDocumentsQuery>

/** A part of a text, in UTF-16 units. */
export const TextRange = z.object({ from: z.number().int(), to: z.number().int() })
export type TextRange = z.infer<typeof TextRange>

/** The match of a search in a document: ranges of its title, and an excerpt of its text, as plain text on one line. */
export const FoundPlace = z
  .object({
    title: z.array(TextRange),
    snippet: z.object({ text: z.string(), ranges: z.array(TextRange) }).optional(),
  })
  .meta({ id: 'FoundPlace' })
export type FoundPlace = z.infer<typeof FoundPlace>

/** A document in a list; `found` if the list has a `query`. */
export const ListedDocument = DocumentSummary.extend({ found: FoundPlace.optional() }).meta({ id: 'ListedDocument' })
export type ListedDocument = z.infer<typeof ListedDocument>

export const DocumentList = z.object({
  documents: z.array(ListedDocument),
  nextCursor: z.string().nullable(),
})
export type DocumentList = z.infer<typeof DocumentList>

export const DeleteDocumentQuery = z.object({ permanent: z.stringbool().optional() })

/** The number of documents that a request moved to the trash, restored or deleted. */
export const DocumentCount = z.object({ documents: z.number().int() })
export type DocumentCount = z.infer<typeof DocumentCount>

export const ExportFormat = z.enum(['markdown', 'html', 'json'])
export type ExportFormat = z.infer<typeof ExportFormat>

/** The view of suggested changes in an export: the text before them, or as if all were accepted. */
export const ChangesView = z.enum(['original', 'accepted'])
export type ChangesView = z.infer<typeof ChangesView>
