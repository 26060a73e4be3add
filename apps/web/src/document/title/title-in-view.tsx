import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { useSharedTitle } from '../../collaboration/hooks.ts'
import { createStore, type Store } from '../../common/store.ts'
import { t } from '../../i18n/translate.ts'
import { Tooltip } from '../../ui/tooltips/tooltip.tsx'

/** Whether the title's line on the page is in view. */
export type TitleInView = Store<boolean>

/** Creates the state of a page that was just opened: at its top. */
export function createTitleInView(): TitleInView {
  return createStore(true)
}

/**
 * An invisible element at the lower edge of the title's first line: while it is not visible the header shows the title.
 */
export function TitleMark({ inView }: { inView: TitleInView }) {
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const { current } = mark
    if (!current) return undefined
    const watch = ([entry]: IntersectionObserverEntry[]) => entry && inView.set(entry.isIntersecting)
    const observer = new IntersectionObserver(watch, { root: current.closest('[data-scroller]') })
    observer.observe(current)
    return () => observer.disconnect()
  }, [inView])
  return <span ref={mark} aria-hidden className="absolute top-16 h-2 w-px" />
}

type BarTitleProps = { meta: DocumentConnection['meta']; otherwise: string; inView: TitleInView }

/** The title in the header while its line is scrolled out of view; it scrolls back to that line. */
export function BarTitle({ meta, otherwise, inView }: BarTitleProps) {
  const title = useSharedTitle(meta) || otherwise
  const isInView = useSyncExternalStore(inView.subscribe, inView.get)
  useEffect(() => {
    document.title = `${title} – Copydesk`
  }, [title])
  return (
    <Tooltip text={t('Go to the title')}>
      <button
        type="button"
        dir="auto"
        disabled={isInView}
        onClick={goToTitle}
        className="bar-title min-w-0 truncate rounded-md px-2 py-1.5 text-start font-semibold hover:bg-hover disabled:invisible"
      >
        {title}
      </button>
    </Tooltip>
  )
}

function goToTitle(): void {
  document.querySelector('[data-scroller]')?.scrollTo({ top: 0 })
  if (!focusTitle()) document.querySelector<HTMLElement>('.document-text')?.focus({ preventScroll: true })
}

/** Puts the caret at the end of the title; false if it has no separate line. */
export function focusTitle(): boolean {
  const field = document.querySelector<HTMLTextAreaElement>('.title-line textarea')
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
  return field !== null
}
