import type { Editor } from '@tiptap/core'
import { Keyboard, ListTree } from 'lucide-react'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import type { WritingUi } from '../common/editor-ui.ts'
import { OutlineList } from './outline-list.tsx'
import { type FollowedFigures, followFigures, type TextCount, type TextFigures } from './text-figures.ts'

const roomForColumn = 760
const cornerClass = 'rounded-se-lg bg-page ps-2 pe-3 py-1'
// Floats over the text, like the chat button.
const floatingClass =
  'ms-3 mb-[max(0.75rem,env(safe-area-inset-bottom))] rounded-full border border-line bg-surface ps-0.5 pe-3.5 shadow-raised'

type TextAidsProps = { editor: Editor; ui: WritingUi; isOpen: boolean; onToggle: (open: boolean) => void }

/**
 * The outline left of the text or, in a narrow window, in a sheet, with its button; and in the lower corner the length
 * of the text.
 */
export function TextAids({ editor, ui, isOpen, onToggle }: TextAidsProps) {
  const [figures] = useState(() => followFigures(editor))
  const box = useRef<HTMLDivElement>(null)
  const isNarrow = useNarrowBox(box)
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
        <div
          className={`flex w-fit items-center gap-1 text-xs text-ink-faint ${isNarrow ? floatingClass : cornerClass}`}
        >
          {isNarrow && <OutlineSheet editor={editor} figures={figures} />}
          <TextLength figures={figures} />
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
      {!isNarrow && isOpen && <Column editor={editor} figures={figures} />}
    </>
  )
}

// The available width is what the panel next to the text leaves of the window.
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

function Column({ editor, figures }: { editor: Editor; figures: FollowedFigures }) {
  return (
    <nav aria-label="Outline" className="flex w-60 shrink-0 flex-col border-e border-line">
      <h2 className="flex h-11 items-center ps-12 pt-2 text-xs font-semibold text-ink-soft">Outline</h2>
      <div className="min-h-0 flex-1 overflow-y-auto px-2.5 pt-1 pb-10">
        <OutlineList editor={editor} figures={figures} />
      </div>
    </nav>
  )
}

function OutlineSheet({ editor, figures }: { editor: Editor; figures: FollowedFigures }) {
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
    <Sheet
      title="Outline"
      closeLabel="Close outline"
      open={isOpen}
      onOpenChange={open}
      trigger={
        <button
          type="button"
          aria-label="Outline"
          className="pointer-events-auto inline-flex size-9 items-center justify-center rounded-full text-ink-soft hover:bg-hover"
        >
          <ListTree size={18} aria-hidden />
        </button>
      }
      onCloseAutoFocus={(event) => {
        if (!hasGone) return
        // On a touch screen the focus would open the keyboard over the target.
        event.preventDefault()
        if (!matchMedia('(pointer: coarse)').matches) editor.view.focus()
      }}
      className="max-h-[75vh]"
    >
      <div className="overflow-y-auto p-2.5 pb-[max(1rem,env(safe-area-inset-bottom))]">
        <OutlineList editor={editor} figures={figures} onGo={go} />
      </div>
    </Sheet>
  )
}

/**
 * The length of the text, or of the selection. Written without React, since it changes with nearly every word that any
 * user types.
 */
function TextLength({ figures }: { figures: FollowedFigures }) {
  const words = useRef<HTMLSpanElement>(null)
  const characters = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const write = () => {
      const lines = inWords(figures.get())
      put(words.current, lines.words)
      put(characters.current, lines.characters)
    }
    write()
    return figures.subscribe(write)
  }, [figures])
  return (
    <p className="tabular-nums">
      <span ref={words} />
      <span ref={characters} className="hidden sm:inline" />
    </p>
  )
}

function put(place: HTMLElement | null, text: string): void {
  if (place && place.textContent !== text) place.textContent = text
}

function inWords({ whole, selected }: TextFigures) {
  const count: TextCount = selected ?? whole
  const characters = plural(count.characters, 'character')
  // A comma alone is no word.
  if (selected?.words === 0) return { words: `${characters} selected`, characters: '' }
  return {
    words: `${plural(count.words, 'word')}${selected ? ' selected' : ''}`,
    characters: ` · ${characters}`,
  }
}

function plural(count: number, name: string): string {
  return `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`
}
