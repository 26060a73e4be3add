import type { DocumentUpdate } from '@copydesk/tools'
import { z } from 'zod'
import type { Signals } from '../signals.ts'

const Update = z.object({
  operation: z.enum(['replace', 'append', 'insert', 'delete', 'insert_image']),
  sectionIndex: z.number().int(),
  title: z.string().exactOptional(),
  content: z.string().exactOptional(),
  imageUrl: z.string().exactOptional(),
  imageDescription: z.string().exactOptional(),
  position: z.enum(['after_section', 'before_section']).exactOptional(),
})

/** A result of a tool that changed something; what was only suggested has `changeIds`. */
const Changed = z.object({ update: Update, changeIds: z.array(z.string()).optional() })

/** What a tool's result says that integrations are to be told now; `undefined` if nothing, or not before it is accepted. */
export function appliedUpdate(details: unknown): DocumentUpdate | undefined {
  const changed = Changed.safeParse(details)
  return changed.success && (changed.data.changeIds ?? []).length === 0 ? changed.data.update : undefined
}

/** Tells integrations that a change of a section or an image has been applied (`doc_update` of docs/protocol.md). */
export function publishDocUpdate(
  signals: Pick<Signals, 'publish'>,
  document: string,
  update: DocumentUpdate,
  run: string | null | undefined,
): void {
  const data = { ...update, ...(run ? { run } : {}) }
  signals.publish({ kind: 'event', document, event: 'doc_update', data })
}
