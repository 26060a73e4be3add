import { z } from 'zod'
import { Access, Role } from './people.ts'

/** How an agent's changes reach the text: applied, as tracked changes, or held for approval. */
export const AgentMode = z.enum(['edit', 'suggest', 'ask'])
export type AgentMode = z.infer<typeof AgentMode>

/** The family of fonts in which a document's text is shown. */
export const DocumentFont = z.enum(['sans', 'serif', 'mono'])
export type DocumentFont = z.infer<typeof DocumentFont>

const Title = z.string().trim().max(300, 'A title has at most 300 characters.')

/** A document in a list. Times are ISO 8601. */
export const DocumentSummary = z
  .object({
    id: z.string(),
    title: z.string(),
    role: Role,
    access: Access,
    agentMode: AgentMode,
    /** Whether editors may share the document too; if not, only owners may. */
    editorsShare: z.boolean(),
    trashed: z.boolean(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Document' })
export type DocumentSummary = z.infer<typeof DocumentSummary>

export const CreateDocument = z.object({ title: Title.optional(), markdown: z.string().optional() })
export type CreateDocument = z.infer<typeof CreateDocument>

export const PatchDocument = z
  .object({ title: Title.min(1, 'A title needs at least one character.'), agentMode: AgentMode, font: DocumentFont })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, 'Give a title, an agentMode or a font.')
export type PatchDocument = z.infer<typeof PatchDocument>

export const ListDocumentsQuery = z.object({
  query: z.string().max(200).optional(),
  trash: z.stringbool().optional(),
  cursor: z.string().max(200).optional(),
})

export const DocumentList = z.object({
  documents: z.array(DocumentSummary),
  nextCursor: z.string().nullable(),
})
export type DocumentList = z.infer<typeof DocumentList>

export const ExportFormat = z.enum(['markdown', 'html', 'json'])
export type ExportFormat = z.infer<typeof ExportFormat>

/** How an export shows suggested changes: the text before them, or as if all were accepted. */
export const ChangesView = z.enum(['original', 'accepted'])
export type ChangesView = z.infer<typeof ChangesView>
