import type { Editor } from '@tiptap/core'
import { Keyboard, ListTree } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState, useEffect, useSyncExternalStore } from 'react'
import { useRoomForOutline } from '../../common/layout/page-layout.ts'
import { t } from '../../i18n/translate.ts'
import { IconButton, iconButtonClass } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import type { WritingUi } from '../common/editor-ui.ts'
import { type FollowedFigures, followFigures, type TextCount, type TextFigures } from './text-figures.ts'
import { sameJson } from '../../common/store.ts'
import { goToHeading } from './go-to-heading.ts'

type TextAidsProps = {
  editor: Editor
  ui: WritingUi
  isOpen: boolean
  onToggle: (open: boolean) => void
  footerButton: ReactNode
}

/**
 * The outline left of the text or, if there is too little space, in a sheet; and below the text a footer with its
 * length. Neither covers text.
 */
export function TextAids({ editor, ui, isOpen, onToggle, footerButton }: TextAidsProps) {
  const [figures] = useState(() => followFigures(editor))
  const hasRoom = useRoomForOutline()
  return (
    <>
      {hasRoom && <OutlineColumn {...{ editor, figures, isOpen, onToggle }} />}
      <footer className="row-start-3 flex min-h-8 items-center gap-1 border-t border-line bg-page ps-3 pe-2 pb-[env(safe-area-inset-bottom)] text-xs text-ink-faint max-[899px]:min-h-12">
        {!hasRoom && <OutlineSheet editor={editor} figures={figures} />}
        <TextLength figures={figures} />
        <button
          type="button"
          aria-label={t('Keyboard shortcuts')}
          title={t('Keyboard shortcuts')}
          onClick={() => ui.shortcuts.set(true)}
          className="hidden size-6 items-center justify-center rounded hover:bg-hover hover:text-ink min-[900px]:inline-flex"
        >
          <Keyboard size={14} aria-hidden />
        </button>
        <span className="ms-auto">{footerButton}</span>
      </footer>
    </>
  )
}

type OutlineColumnProps = Pick<TextAidsProps, 'editor' | 'isOpen' | 'onToggle'> & { figures: FollowedFigures }

function OutlineColumn({ editor, figures, isOpen, onToggle }: OutlineColumnProps) {
  return (
    <div
      className={`z-10 col-start-1 row-start-1 flex min-h-0 flex-col justify-self-start ${isOpen ? 'w-(--outline) border-e border-line bg-page' : 'self-start'}`}
    >
      <div className="flex items-center gap-1 p-2">
        <IconButton
          label={t(isOpen ? 'Hide outline' : 'Show outline')}
          aria-expanded={isOpen}
          onClick={() => onToggle(!isOpen)}
          icon={ListTree}
          size={18}
        />
        {isOpen && <h2 className="text-xs font-semibold text-ink-soft">{t('Outline')}</h2>}
      </div>
      {isOpen && (
        <nav aria-label={t('Outline')} className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
          <OutlineList editor={editor} figures={figures} />
        </nav>
      )}
    </div>
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
      title={t('Outline')}
      closeLabel={t('Close outline')}
      open={isOpen}
      onOpenChange={open}
      trigger={
        <button
          type="button"
          aria-label={t('Outline')}
          className={`${iconButtonClass} -ms-1.5 max-[899px]:size-10 min-[900px]:size-7`}
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
      className="max-h-[75vh] min-[900px]:inset-y-0 min-[900px]:end-auto min-[900px]:max-h-none min-[900px]:w-72 min-[900px]:rounded-none min-[900px]:border-e min-[900px]:border-t-0"
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
  const { words, characters }: TextCount = selected ?? whole
  // A comma alone is not a word.
  if (selected?.words === 0) {
    return {
      words: t('{count, plural, one {# character selected} other {# characters selected}}', { count: characters }),
      characters: '',
    }
  }
  return {
    words: selected
      ? t('{count, plural, one {# word selected} other {# words selected}}', { count: words })
      : t('{count, plural, one {# word} other {# words}}', { count: words }),
    characters: ` · ${t('{count, plural, one {# character} other {# characters}}', { count: characters })}`,
  }
}

type OutlineListProps = { editor: Editor; figures: FollowedFigures; onGo?: () => void }

const indents = ['ps-2.5', 'ps-5', 'ps-8', 'ps-10', 'ps-12', 'ps-14']

/** The headings as links into the text; the heading of the section in view is marked. */
function OutlineList({ editor, figures, onGo }: OutlineListProps) {
  const { headings, current } = useOutline(figures)
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  if (headings.length === 0) {
    return (
      <p className="px-2.5 py-1 text-sm text-ink-soft">
        {t('Headings of the text appear here. Type # and a space to begin one.')}
      </p>
    )
  }
  const highest = Math.min(...headings.map(({ level }) => level))
  return (
    <ol ref={list} className="flex flex-col">
      {headings.map((heading, index) => (
        <li key={`${index} ${heading.text}`}>
          <button
            type="button"
            dir="auto"
            aria-current={index === current ? 'location' : undefined}
            onClick={() => {
              onGo?.()
              goToHeading(editor, figures.get().headings[index]?.position ?? 0, { takesFocus: !onGo })
            }}
            className={`w-full rounded-md py-1 pe-2 text-start text-sm text-ink-soft hover:bg-hover hover:text-ink aria-[current]:font-medium aria-[current]:text-accent-strong aria-[current]:bg-accent-soft ${indents[heading.level - highest] ?? ''}`}
          >
            <span className="line-clamp-2">{heading.text}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}

// The positions of the headings change with every character above them, the displayed outline doesn't.
function useOutline(figures: FollowedFigures) {
  const last = useRef<Outline>(undefined)
  return useSyncExternalStore(figures.subscribe, () => {
    const next = outlineOf(figures.get())
    if (last.current === undefined || !sameJson(next, last.current)) last.current = next
    return last.current
  })
}

type Outline = ReturnType<typeof outlineOf>

function outlineOf({ headings, current }: TextFigures) {
  return { current, headings: headings.map(({ text, level }) => ({ text, level })) }
}
