import type { Editor } from '@tiptap/core'
import { Keyboard, ListTree, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type RefObject, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import type { WritingUi } from '../writing-ui.ts'
import type { TextCount } from './count-words.ts'
import { OutlineList } from './outline-list.tsx'
import { followFigures, type TextFigures } from './text-figures.ts'

const roomForColumn = 760

type TextAidsProps = { editor: Editor; ui: WritingUi; isOpen: boolean; onToggle: (open: boolean) => void }

/** The outline left of the text or, where there is no room, in a sheet, with its button; and in the lower corner how long the text is. */
export function TextAids({ editor, ui, isOpen, onToggle }: TextAidsProps) {
  const [figures] = useState(() => followFigures(editor))
  const box = useRef<HTMLDivElement>(null)
  const isNarrow = useNarrowBox(box)
  const now = useSyncExternalStore(figures.subscribe, figures.get)
  return (
    <>
      <div ref={box} className="pointer-events-none absolute inset-0 z-10 flex flex-col justify-between">
        <div className="p-2">
          {!isNarrow && (
            <IconButton
              label={isOpen ? 'Hide outline' : 'Show outline'}
              aria-expanded={isOpen}
              onClick={() => onToggle(!isOpen)}
              className="pointer-events-auto"
            >
              <ListTree size={18} aria-hidden />
            </IconButton>
          )}
        </div>
        <div className="flex w-fit items-center gap-1 rounded-se-lg bg-page/85 ps-2 pe-3 pt-1 pb-[max(0.25rem,env(safe-area-inset-bottom))] text-xs text-ink-faint">
          {isNarrow && <Sheet editor={editor} figures={now} />}
          <Length figures={now} />
          <button
            type="button"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts"
            onClick={() => ui.shortcuts.set(true)}
            className="pointer-events-auto hidden size-6 items-center justify-center rounded hover:bg-hover hover:text-ink min-[900px]:inline-flex"
          >
            <Keyboard size={14} aria-hidden />
          </button>
        </div>
      </div>
      {!isNarrow && isOpen && <Column editor={editor} figures={now} />}
    </>
  )
}

// What counts is what the panel beside the text leaves of the window.
function useNarrowBox(box: RefObject<HTMLElement | null>): boolean {
  const [isNarrow, setNarrow] = useState(false)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const measure = () => setNarrow(element.clientWidth < roomForColumn)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return isNarrow
}

function Column({ editor, figures }: { editor: Editor; figures: TextFigures }) {
  return (
    <nav aria-label="Outline" className="flex w-60 shrink-0 flex-col border-e border-line">
      <h2 className="flex h-11 items-center ps-12 pt-2 text-xs font-semibold text-ink-soft">Outline</h2>
      <div className="min-h-0 flex-1 overflow-y-auto px-2.5 pt-1 pb-10">
        <OutlineList editor={editor} figures={figures} />
      </div>
    </nav>
  )
}

function Sheet({ editor, figures }: { editor: Editor; figures: TextFigures }) {
  const [isOpen, setOpen] = useState(false)
  const [hasGone, setGone] = useState(false)
  const open = (next: boolean) => {
    setOpen(next)
    if (next) setGone(false)
  }
  const go = () => {
    setGone(true)
    setOpen(false)
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={open}>
      <Dialog.Trigger
        aria-label="Outline"
        className="pointer-events-auto inline-flex size-9 items-center justify-center rounded-md text-ink-soft hover:bg-hover"
      >
        <ListTree size={18} aria-hidden />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          tabIndex={-1}
          onOpenAutoFocus={focusSheet}
          onCloseAutoFocus={(event) => {
            if (!hasGone) return
            // On a touch screen the focus would bring up the keyboard over what was looked for.
            event.preventDefault()
            if (!matchMedia('(pointer: coarse)').matches) editor.view.dom.focus({ preventScroll: true })
          }}
          className="pop fixed inset-x-0 bottom-0 z-40 flex max-h-[75vh] flex-col rounded-t-2xl border-t border-line bg-surface shadow-raised outline-none"
        >
          <div className="flex items-center justify-between border-b border-line ps-5 pe-2 py-1">
            <Dialog.Title className="text-sm font-semibold">Outline</Dialog.Title>
            <IconButton label="Close outline" onClick={() => setOpen(false)}>
              <X size={17} aria-hidden />
            </IconButton>
          </div>
          <div className="overflow-y-auto p-2.5 pb-[max(1rem,env(safe-area-inset-bottom))]">
            <OutlineList editor={editor} figures={figures} onGo={go} />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

// Not the first button, whose tooltip would open.
function focusSheet(event: Event): void {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}

function Length({ figures: { whole, selected } }: { figures: TextFigures }) {
  const count = selected ?? whole
  return (
    <p className="tabular-nums">
      {selected ? `${inWords(count)} selected` : inWords(count)}
      <span className="hidden sm:inline"> · {plural(count.characters, 'character')}</span>
    </p>
  )
}

function inWords({ words }: TextCount): string {
  return plural(words, 'word')
}

function plural(count: number, name: string): string {
  return `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`
}
