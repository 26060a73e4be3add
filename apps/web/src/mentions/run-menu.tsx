import type { Run } from '@copydesk/protocol'
import { Check, Eraser, Eye, MessageSquareText, Redo2, Square, Undo2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useRef, useSyncExternalStore } from 'react'
import { redoRun, stopRun, undoRun } from '../api/runs.ts'
import { hasChanged } from '../editor/agent-edits/run-undo.ts'
import { t } from '../i18n/translate.ts'
import { MenuItem, MenuLine } from '../ui/menus/menu.tsx'
import { showToast } from '../ui/toasts/toasts.tsx'
import { useAction } from '../ui/use-action.ts'
import { removesAnswered } from './answered-requests.ts'
import { chipHint, chipState, possibleActions, type OpenRunMenu, type RunChips } from './chip-state.ts'

type RunMenuProps = {
  chips: RunChips
  document: string
  canEdit: boolean
  canStop: boolean
  self: string
  onOpenRun: (run: string) => void
  onShowChanges: (run: Run) => void
  onRemove: (requestId: string) => void
}

/** The menu of the agent mention that was clicked, or opened with Enter: the answer, and the actions on its run. */
export function RunMenu(props: RunMenuProps) {
  const { chips } = props
  const open = useSyncExternalStore(chips.menu.subscribe, chips.menu.get)
  const run = useSyncExternalStore(chips.room.subscribe, () => open && chips.room.get().runs.get(open.run))
  if (!open || !run) return null
  return <OpenMenu key={open.run} {...props} open={open} run={run} />
}

function OpenMenu(props: RunMenuProps & { open: OpenRunMenu; run: Run }) {
  const { chips, open, run } = props
  const box = open.chip.getBoundingClientRect()
  const state = chipState({ kind: 'agent', state: 'sent' }, run)
  // If the action moves the focus to another element, the chip doesn't take it back.
  const movesFocus = useRef(false)
  const leave = (act: () => void) => {
    movesFocus.current = true
    act()
  }
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={(isOpen) => !isOpen && chips.menu.set(null)}>
      <DropdownMenu.Trigger asChild>
        <span
          aria-hidden
          className="pointer-events-none fixed"
          style={{ left: box.left, top: box.top, width: box.width, height: box.height }}
        />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          ref={focusFirst}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t('Request to the agent: {state}', { state: chipHint(state) })}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (!movesFocus.current && open.chip.isConnected) open.chip.focus()
          }}
          className="pop z-50 max-w-80 min-w-52 rounded-lg border border-line bg-surface p-1 shadow-raised"
        >
          <p className="max-w-72 truncate px-2.5 pt-1.5 pb-1 text-xs text-ink-faint">{about(run)}</p>
          <Items {...props} leave={leave} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

type ItemsProps = RunMenuProps & { run: Run; leave: (act: () => void) => void }

function Items({ run, leave, document, canEdit, canStop, self, onOpenRun, onShowChanges, onRemove }: ItemsProps) {
  const act = useRunActions(document, run.id)
  const offers = possibleActions(run, hasChanged(run), canEdit, canStop)
  return (
    <>
      <MenuItem icon={MessageSquareText} onSelect={() => leave(() => onOpenRun(run.id))} text={t('Open answer')} />
      {offers.stop && <MenuItem icon={Square} onSelect={act.stop} text={t('Stop')} />}
      {offers.changes && (
        <MenuItem icon={Eye} onSelect={() => leave(() => onShowChanges(run))} text={t('Show changes')} />
      )}
      {(offers.undo || offers.redo) && (
        <MenuItem
          icon={offers.undo ? Undo2 : Redo2}
          onSelect={offers.undo ? act.undo : act.redo}
          text={t(offers.undo ? 'Undo' : 'Redo')}
        />
      )}
      {offers.remove && (
        <MenuItem icon={Eraser} onSelect={() => leave(() => onRemove(run.trigger.id))} text={t('Remove request')} />
      )}
      {canEdit && run.invokedBy.id === self && <RemovalChoice />}
    </>
  )
}

/** The preference of this user for all of their requests. */
function RemovalChoice() {
  const isOn = useSyncExternalStore(removesAnswered.subscribe, removesAnswered.get)
  return (
    <>
      <MenuLine />
      <DropdownMenu.CheckboxItem
        checked={isOn}
        onCheckedChange={removesAnswered.set}
        className="flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 text-sm outline-none data-[highlighted]:bg-hover"
      >
        <span aria-hidden className="flex size-4 items-center justify-center rounded border border-line-strong">
          {isOn && <Check size={12} />}
        </span>
        {t('Always remove mine once answered')}
      </DropdownMenu.CheckboxItem>
    </>
  )
}

// The answer contains the error; this line names the user who made the request.
function about(run: Run): string {
  if (run.undone) return t('{name} · taken back', { name: run.invokedBy.name })
  return run.instruction === '' ? run.invokedBy.name : `${run.invokedBy.name}: ${run.instruction}`
}

function focusFirst(content: HTMLElement | null): void {
  if (content) requestAnimationFrame(() => content.querySelector<HTMLElement>('[role="menuitem"]')?.focus())
}

function useRunActions(document: string, run: string) {
  const stop = useAction(() => stopRun(document, run))
  const undo = useAction(() => undoRun(document, run), { onDone: () => showToast(t('Undone.')) })
  const redo = useAction(() => redoRun(document, run), { onDone: () => showToast(t('Redone.')) })
  return { stop: () => stop.mutate(), undo: () => undo.mutate(), redo: () => redo.mutate() }
}
