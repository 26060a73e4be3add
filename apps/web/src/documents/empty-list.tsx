import { FilePlus2, SearchX, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DocumentFilter } from '../api/documents.ts'
import { Button } from '../ui/button.tsx'

type EmptyListProps = { filter: DocumentFilter; onCreate: () => void }

/** Shown instead of an empty list: why there are no documents, and what to do. */
export function EmptyList({ filter, onCreate }: EmptyListProps) {
  if (filter.query) {
    return (
      <Empty icon={<SearchX size={26} />} title={`Nothing matches “${filter.query}”`}>
        <p>Titles and text are searched. Try fewer or other words.</p>
      </Empty>
    )
  }
  if (filter.trash) {
    return (
      <Empty icon={<Trash2 size={26} />} title="The trash is empty">
        <p>Documents in the trash are kept here and can be restored.</p>
      </Empty>
    )
  }
  return (
    <Empty icon={<FilePlus2 size={26} />} title="Write your first document">
      <p>
        Everybody who opens its link writes in the same text. To get help, type{' '}
        <kbd className="rounded bg-agent-soft px-1.5 py-0.5 font-sans text-sm text-agent">@agent</kbd> and what it
        should do, then press Enter: it joins as one more writer.
      </p>
      <Button look="primary" className="mt-5" onClick={onCreate}>
        Start writing
      </Button>
    </Empty>
  )
}

function Empty({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div className="rounded-xl border border-dashed border-line-strong/50 px-6 py-12 text-center text-ink-soft">
      <div aria-hidden className="mb-3 flex justify-center text-ink-faint">
        {icon}
      </div>
      <h2 className="mb-1.5 text-base font-semibold text-ink">{title}</h2>
      <div className="mx-auto max-w-md">{children}</div>
    </div>
  )
}
