import type { Editor } from '@tiptap/core'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { Selection } from 'prosemirror-state'
import { useCallback, useState } from 'react'
import type { Decision } from '../../api/review.ts'
import { scrollToPosition } from '../../editor/common/positions.ts'
import { formatShortcut, isMacLike } from '../../common/commands/shortcut-keys.ts'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../../ui/button.tsx'
import { useFocusBack } from '../text/review-focus.ts'
import { reviewKeys } from '../text/review-keys.ts'
import { type OpenChange, type ReviewUi, useReview } from '../text/review-ui.ts'
import { neighbour } from './change-text.tsx'
import { DecideMany, decisions, useDecide } from './decisions.tsx'

const steps = [
  { by: -1, label: 'Previous suggestion', keys: 'previousChange', icon: ChevronUp },
  { by: 1, label: 'Next suggestion', keys: 'nextChange', icon: ChevronDown },
] as const

type ReviewBarProps = { editor: Editor; ui: ReviewUi; document: string; self: string; canDecide: boolean }

/**
 * The bar below the text while suggestions are open: their number, next and previous, and a decision on one or on all.
 */
export function ReviewBar({ editor, ui, document, self, canDecide }: ReviewBarProps) {
  const { changes, atCaret } = useReview(ui)
  const decide = useDecide(document)
  const [bar, follow] = useBar(editor)
  if (changes.length === 0) return null
  const current = changes.find(({ id }) => atCaret.includes(id))
  const ids = changes.map(({ id }) => id)
  const show = (wanted: string | undefined) => {
    const change = ui.get().changes.find(({ id }) => id === wanted)
    if (change) showChange(editor, ui, change)
  }
  const go = (step: 1 | -1) => show(neighbour(ids, current?.id, step))
  const act = (change: OpenChange, decision: Decision) => {
    const next = neighbour(ids, change.id, 1)
    const onSuccess = () => {
      // The pressed button is removed with its change.
      bar?.focus()
      if (next !== change.id) show(next)
    }
    decide.mutate({ change: change.id, decision }, { onSuccess })
  }
  return (
    <section
      ref={follow}
      tabIndex={-1}
      aria-label={t('Suggestions')}
      className="flex h-12 shrink-0 items-center gap-1 border-t border-line bg-page px-2 outline-none sm:px-3"
    >
      {steps.map(({ by, label, keys, icon }) => (
        <IconButton key={by} label={t(label)} shortcut={shortcut(keys)} icon={icon} onClick={() => go(by)} />
      ))}
      <p aria-live="polite" className="min-w-0 flex-1 truncate px-1 text-sm">
        {describe(changes, current)}
      </p>
      {canDecide && current && (
        <>
          {decisions.map(({ decision, icon }) => (
            <IconButton
              key={decision}
              label={t(decision === 'accept' ? 'Accept this suggestion' : 'Reject this suggestion')}
              shortcut={shortcut(decision)}
              disabled={decide.isPending}
              onClick={() => act(current, decision)}
              icon={icon}
            />
          ))}
          <span aria-hidden className="mx-1 hidden h-5 w-px bg-line lg:block" />
        </>
      )}
      {canDecide && <DecideMany {...{ self, changes }} returnFocusTo={bar} onDecide={(many) => decide.mutate(many)} />}
    </section>
  )
}

function shortcut(key: 'accept' | 'nextChange' | 'previousChange' | 'reject'): string {
  return formatShortcut(reviewKeys[key], isMacLike())
}

function describe(changes: readonly OpenChange[], current: OpenChange | undefined): string {
  const count = changes.length
  if (current) return t('{position, number} of {count, number}', { position: changes.indexOf(current) + 1, count })
  return t('{count, plural, one {# suggestion} other {# suggestions}}', { count })
}

/** Puts the caret at a change and scrolls it into view, without taking the focus from the pressed button. */
function showChange(editor: Editor, ui: ReviewUi, change: OpenChange): void {
  const { view } = editor
  const place = view.state.doc.resolve(Math.min(change.from, view.state.doc.content.size))
  view.dispatch(view.state.tr.setSelection(Selection.near(place)))
  ui.put({ atCaret: [change.id], hovered: null })
  scrollToPosition(view, change.from)
}

/** The element of the bar, and its ref, which returns the focus to the text when the bar is removed. */
function useBar(editor: Editor) {
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const focusBack = useFocusBack(editor)
  const follow = useCallback(
    (element: HTMLElement | null) => {
      setBar(element)
      const stop = focusBack(element)
      return () => {
        stop?.()
        setBar(null)
      }
    },
    [focusBack],
  )
  return [bar, follow] as const
}
