import type { Editor } from '@tiptap/core'
import { writeStored, readStored } from '../../common/local-storage.ts'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart, loadLate } from '../../common/lazy-part.ts'
import type { WritingUi } from '../common/editor-ui.ts'

const TextAids = lazyPart(() => loadLate(async () => (await import('./text-aids.tsx')).TextAids))

type WithOutlineProps = {
  editor: Editor
  ui: WritingUi
  /** Bars between the text and its footer. */
  bars: ReactNode
  /** A button at the end of the footer. */
  footerButton: ReactNode
  children: ReactNode
}

const storageKey = 'copydesk outline'

/**
 * The text with its outline next to it, and a footer with its length; both load after the text. `children` is the text;
 * it never renders again because of these.
 */
export function WithOutline({ editor, ui, bars, footerButton, children }: WithOutlineProps) {
  const [isOpen, setOpen] = useState(() => readStored(storageKey) === 'open')
  const toggle = (open: boolean) => {
    setOpen(open)
    writeStored(storageKey, open ? 'open' : 'closed')
  }
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto_auto]">
      <Suspense fallback={<div className="row-start-3 min-h-8 border-t border-line bg-page max-[899px]:min-h-12" />}>
        <TextAids editor={editor} ui={ui} isOpen={isOpen} onToggle={toggle} footerButton={footerButton} />
      </Suspense>
      <div className="relative col-start-1 row-start-1 flex min-h-0">{children}</div>
      <div className="row-start-2">{bars}</div>
    </div>
  )
}
