import type { Editor } from '@tiptap/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { WritingUi } from '../common/editor-ui.ts'

const TextAids = lazy(async () => ({ default: (await import('./text-aids.tsx')).TextAids }))

type WithOutlineProps = { editor: Editor; ui: WritingUi; children: ReactNode }

const storageKey = 'copydesk outline'

/**
 * The text with its outline and its length, which load after it. `children` is the text; it never renders again because
 * of these.
 */
export function WithOutline({ editor, ui, children }: WithOutlineProps) {
  const [isOpen, setOpen] = useState(() => localStorage.getItem(storageKey) === 'open')
  const toggle = (open: boolean) => {
    setOpen(open)
    localStorage.setItem(storageKey, open ? 'open' : 'closed')
  }
  return (
    <div className="relative flex min-h-0 flex-1">
      <Suspense fallback={isOpen && <div className="hidden w-60 shrink-0 border-e border-line min-[1180px]:block" />}>
        <TextAids editor={editor} ui={ui} isOpen={isOpen} onToggle={toggle} />
      </Suspense>
      {children}
    </div>
  )
}
