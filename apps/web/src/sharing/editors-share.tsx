import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { Switch as Radix } from 'radix-ui'
import { type ReactNode, useId, useState, useSyncExternalStore } from 'react'
import { documentKey, useDocumentSummary } from '../api/documents.ts'
import { setEditorsShare } from '../api/sharing.ts'
import type { RoomStore } from '../collaboration/room-store.ts'
import { showError } from '../ui/toasts.tsx'

/**
 * Whether editors may share this document. The room reports every change immediately; if it was never changed, the
 * summary has it.
 */
export function useEditorsShare(document: string, room: RoomStore): boolean {
  const { data: summary } = useDocumentSummary(document)
  const told = useSyncExternalStore(room.subscribe, () => room.get().settings.editorsShare)
  return told ?? summary?.editorsShare ?? true
}

/** Lets owners choose whether editors may share the document, too. */
export function EditorsShareSwitch({ document, editorsShare }: { document: string; editorsShare: boolean }) {
  const queryClient = useQueryClient()
  // Shows the choice immediately, until the room reports it or another owner's choice.
  const [chosen, setChosen] = useState<{ value: boolean; instead: boolean }>()
  const change = useMutation({
    mutationFn: (value: boolean) => setEditorsShare(document, value),
    onError(error) {
      setChosen(undefined)
      showError(error)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: documentKey(document) }),
  })
  return (
    <Switch
      label="Editors may share"
      text="They can add people, give roles up to their own, and make links. Owners always can."
      checked={chosen?.instead === editorsShare ? chosen.value : editorsShare}
      onChange={(value) => {
        setChosen({ value, instead: editorsShare })
        change.mutate(value)
      }}
    />
  )
}

/** Tells editors why they can't share. */
export function OnlyOwnersShare() {
  return (
    <p role="status" className="flex gap-2 rounded-lg border border-line bg-sunken px-3 py-2.5 text-sm text-ink-soft">
      <Lock size={15} aria-hidden className="mt-0.5 shrink-0" />
      Only owners can share this document. Ask one of them to add people, or to let editors share.
    </p>
  )
}

type SwitchProps = {
  label: string
  /** A description below the label. */
  text?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** An on/off switch that takes effect immediately, with its label before it. */
function Switch({ label, text, checked, disabled = false, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-4">
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {text !== undefined && (
          <p id={`${id}-text`} className="mt-0.5 text-xs text-ink-soft">
            {text}
          </p>
        )}
      </div>
      <Radix.Root
        id={id}
        checked={checked}
        disabled={disabled}
        aria-describedby={text === undefined ? undefined : `${id}-text`}
        onCheckedChange={onChange}
        className="inline-flex h-6 w-10 shrink-0 items-center rounded-full border border-line-strong bg-sunken p-0.5 transition-colors disabled:opacity-60 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="size-4.5 rounded-full bg-line-strong transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-accent motion-reduce:transition-none rtl:data-[state=checked]:-translate-x-4" />
      </Radix.Root>
    </div>
  )
}
