import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useDocumentSummary } from '../document/use-document-summary.ts'
import { whyNot } from './roles.ts'

type IfAllowedProps = { document: string; to: 'comment'; children?: ReactNode }

/** Renders `children` for users who may comment or ask the agent; for others, the reason why they may not. */
export function IfAllowed({ document, to, children }: IfAllowedProps) {
  const { data: summary } = useDocumentSummary(document)
  const reason = whyNot(summary?.role, to)
  if (reason === undefined) return children
  return (
    <p className="flex shrink-0 gap-2 border-t border-line px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] text-sm text-ink-soft">
      <Lock size={15} aria-hidden className="mt-0.5 shrink-0" />
      {reason}
    </p>
  )
}
