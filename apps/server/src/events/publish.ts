import type { DocumentUpdate } from '@copydesk/tools'
import { z } from 'zod'
import type { Signals } from '../common/signals.ts'

const Update = z.object({
  operation: z.enum(['replace', 'append', 'insert', 'delete', 'insert_image']),
  sectionIndex: z.number().int(),
  title: z.string().exactOptional(),
  content: z.string().exactOptional(),
  imageUrl: z.string().exactOptional(),
  imageDescription: z.string().exactOptional(),
  position: z.enum(['after_section', 'before_section']).exactOptional(),
})

/** The result of a tool that made changes; `changeIds` is not empty for suggestions. */
const Changed = z.object({ update: Update, changeIds: z.array(z.string()).optional() })

/**
 * The update to publish for a tool's result; `undefined` for no change, or for a suggestion that is not yet accepted.
 */
export function appliedUpdate(details: unknown): DocumentUpdate | undefined {
  const changed = Changed.safeParse(details)
  return changed.success && (changed.data.changeIds ?? []).length === 0 ? changed.data.update : undefined
}

/** Publishes that a change of a section or an image has been applied (`doc_update` of docs/protocol.md). */
export function publishDocUpdate(
  signals: Pick<Signals, 'publish'>,
  document: string,
  update: DocumentUpdate,
  run: string | null | undefined,
): void {
  const data = { ...update, ...(run ? { run } : {}) }
  signals.publish({ kind: 'event', document, event: 'doc_update', data })
}
