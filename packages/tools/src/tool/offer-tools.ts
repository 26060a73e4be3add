import type { Need, Tool } from './define-tool.ts'
import type { DocumentSession } from '../session/document-session.ts'

// A list can be converted to a table.
const tabular: ReadonlySet<string> = new Set(['table', 'bulletList', 'orderedList', 'taskList'])

/**
 * Returns a function that lists those tools of a run that can have an effect now: each definition costs tokens in every
 * round. A tool that was listed once stays listed, so that providers can keep the list in their caches. A call of a
 * tool that isn't listed may still be executed: its result says why it has no effect.
 */
export function createOffer(tools: readonly Tool[], session: DocumentSession): () => Tool[] {
  const met = new Set<Need>()
  const isMet: Record<Need, () => boolean> = {
    changes: () => session.hasChanges(),
    comments: () => (session.host?.threads().length ?? 0) > 0,
    history: () => session.host?.history?.hasRuns() ?? false,
    project: () => session.host?.project !== undefined,
    'project-writing': () => session.host?.project?.writing !== undefined,
    table() {
      const read = session.view()
      return read.ok && read.view.doc.children.some(({ type }) => tabular.has(type.name))
    },
    selection() {
      const range = session.selection()
      return range !== undefined && range.from !== range.to
    },
    web: () => session.host?.web !== undefined,
    'web-search': () => session.host?.web?.search !== undefined,
    'image-search': () => session.host?.web?.searchImages !== undefined,
  }
  return () =>
    tools.filter(({ needs }) => {
      if (needs === undefined || met.has(needs)) return true
      if (isMet[needs]()) met.add(needs)
      return met.has(needs)
    })
}
