import type { Editor } from '@tiptap/core'
import { Check, CheckCheck, ChevronDown, ChevronUp, Ellipsis, X } from 'lucide-react'
import { Selection } from 'prosemirror-state'
import { useState } from 'react'
import type { Decision } from '../api/review.ts'
import { scrollToPosition } from '../editor/scroll-to-position.ts'
import type { OpenChange, ReviewUi } from '../editor/review/review-ui.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { IconButton, iconButtonClass } from '../ui/icon-button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { neighbour } from './change-text.ts'
import { useDecide } from './decide.ts'
import { useReview } from './use-review.ts'

type ReviewBarProps = { editor: Editor; ui: ReviewUi; document: string; canDecide: boolean }

/** The line below the text while changes are suggested: how many, from one to the next, and a decision on one or on all. */
export function ReviewBar({ editor, ui, document, canDecide }: ReviewBarProps) {
  const { changes, atCaret } = useReview(ui)
  const decide = useDecide(document)
  const [bar, setBar] = useState<HTMLElement | null>(null)
  if (changes.length === 0) return null
  const current = changes.find(({ id }) => atCaret.includes(id))
  const go = (step: 1 | -1) => {
    const ids = changes.map(({ id }) => id)
    const next = changes.find(({ id }) => id === neighbour(ids, current?.id, step))
    if (next) showChange(editor, ui, next)
  }
  const act = (change: OpenChange, decision: Decision) => {
    const next = neighbour(
      changes.map(({ id }) => id),
      change.id,
      1,
    )
    const goOn = () => {
      // The button that was pressed goes with its change.
      bar?.focus()
      const found = ui.get().changes.find(({ id }) => id === next && id !== change.id)
      if (found) showChange(editor, ui, found)
    }
    decide.mutate({ change: change.id, decision }, { onSuccess: goOn })
  }
  return (
    <section
      ref={setBar}
      tabIndex={-1}
      aria-label="Suggested changes"
      className="flex h-12 shrink-0 items-center gap-1 border-t border-line bg-surface pr-20 pl-2 outline-none sm:px-3 max-[899px]:pr-20"
    >
      <IconButton label="Previous change" onClick={() => go(-1)}>
        <ChevronUp size={17} aria-hidden />
      </IconButton>
      <IconButton label="Next change" onClick={() => go(1)}>
        <ChevronDown size={17} aria-hidden />
      </IconButton>
      <p aria-live="polite" className="min-w-0 flex-1 truncate px-1 text-sm">
        {describe(changes, current)}
      </p>
      {canDecide && current && (
        <DecideCurrent disabled={decide.isPending} onDecide={(decision) => act(current, decision)} />
      )}
      {canDecide && (
        <DecideAll count={changes.length} returnFocusTo={bar} onDecide={(decision) => decide.mutate({ decision })} />
      )}
    </section>
  )
}

type DecideCurrentProps = { disabled: boolean; onDecide: (decision: Decision) => void }

function DecideCurrent({ disabled, onDecide }: DecideCurrentProps) {
  return (
    <>
      <IconButton label="Accept this change" disabled={disabled} onClick={() => onDecide('accept')}>
        <Check size={17} aria-hidden />
      </IconButton>
      <IconButton label="Reject this change" disabled={disabled} onClick={() => onDecide('reject')}>
        <X size={17} aria-hidden />
      </IconButton>
      <span aria-hidden className="mx-1 hidden h-5 w-px bg-line lg:block" />
    </>
  )
}

type DecideAllProps = {
  count: number
  returnFocusTo: HTMLElement | null
  onDecide: (decision: Decision) => void
}

function DecideAll({ count, returnFocusTo, onDecide }: DecideAllProps) {
  const [asking, setAsking] = useState<Decision>()
  return (
    <>
      <span className="hidden gap-2 lg:flex">
        <Button size="small" onClick={() => setAsking('accept')}>
          Accept all
        </Button>
        <Button size="small" onClick={() => setAsking('reject')}>
          Reject all
        </Button>
      </span>
      <span className="lg:hidden">
        <Menu
          trigger={
            <button type="button" aria-label="All changes" className={iconButtonClass}>
              <Ellipsis size={17} aria-hidden />
            </button>
          }
        >
          <MenuItem icon={<CheckCheck size={16} />} onSelect={() => setAsking('accept')}>
            Accept all
          </MenuItem>
          <MenuItem icon={<X size={16} />} danger onSelect={() => setAsking('reject')}>
            Reject all
          </MenuItem>
        </Menu>
      </span>
      {asking && (
        <ConfirmAll
          decision={asking}
          count={count}
          returnFocusTo={returnFocusTo}
          onClose={() => setAsking(undefined)}
          onConfirm={() => onDecide(asking)}
        />
      )}
    </>
  )
}

type ConfirmAllProps = {
  returnFocusTo: HTMLElement | null
  decision: Decision
  count: number
  onClose: () => void
  onConfirm: () => void
}

function ConfirmAll({ decision, count, returnFocusTo, onClose, onConfirm }: ConfirmAllProps) {
  const verb = decision === 'accept' ? 'Accept' : 'Reject'
  const what = count === 1 ? 'the suggested change' : `all ${count} suggested changes`
  return (
    <Dialog title={`${verb} ${what}?`} open onOpenChange={(open) => !open && onClose()} returnFocusTo={returnFocusTo}>
      <p className="text-sm text-ink-soft">
        {decision === 'accept'
          ? 'They become part of the text, for everybody.'
          : 'The text becomes what it was before them, for everybody.'}
      </p>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look={decision === 'accept' ? 'primary' : 'danger'}
          onClick={() => {
            onConfirm()
            onClose()
          }}
        >
          {verb} all
        </Button>
      </div>
    </Dialog>
  )
}

function describe(changes: readonly OpenChange[], current: OpenChange | undefined): string {
  if (current) return `${changes.indexOf(current) + 1} of ${changes.length}`
  return changes.length === 1 ? '1 suggested change' : `${changes.length} suggested changes`
}

/** Puts the caret at a change and brings it into view, without taking the focus from the button that asked. */
function showChange(editor: Editor, ui: ReviewUi, change: OpenChange): void {
  const { view } = editor
  const place = view.state.doc.resolve(Math.min(change.from, view.state.doc.content.size))
  view.dispatch(view.state.tr.setSelection(Selection.near(place)))
  ui.put({ atCaret: [change.id], hovered: null })
  scrollToPosition(view, change.from)
}
