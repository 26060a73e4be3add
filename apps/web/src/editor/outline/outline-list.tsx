import type { Editor } from '@tiptap/core'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { sameJson } from '../../common/store.ts'
import { t } from '../../i18n/translate.ts'
import { goToHeading } from './go-to-heading.ts'
import type { FollowedFigures, TextFigures } from './text-figures.ts'

type OutlineListProps = { editor: Editor; figures: FollowedFigures; onGo?: () => void }

const indents = ['ps-2.5', 'ps-5', 'ps-8', 'ps-10', 'ps-12', 'ps-14']

/** The headings as links into the text; the heading of the section in view is marked. */
export function OutlineList({ editor, figures, onGo }: OutlineListProps) {
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

// The positions of the headings change with every letter above them, the displayed outline doesn't.
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
