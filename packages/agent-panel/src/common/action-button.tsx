import { type ReactNode, useId, useRef, useState } from 'react'
import { Icon } from './icons.tsx'
import type { ChatAction } from './types.ts'

/**
 * A `ChatAction` as a button. A disabled action remains focusable and shows its reason; while its promise is pending it
 * can't be pressed again. `isQuiet` shows only the icon.
 */
export function ActionButton({ action, isQuiet = false }: { action: ChatAction; isQuiet?: boolean }) {
  const { label, icon, look = 'plain', disabledReason, isPressed } = action
  const [isBusy, press] = useBusy(action.run)
  const reason = useId()
  const isOff = isBusy || disabledReason !== undefined
  const hint = disabledReason ?? (isQuiet ? label : undefined)
  return (
    <>
      <button
        type="button"
        className={isQuiet ? 'ap-quiet' : `ap-button ap-button-${look}`}
        data-action={action.id}
        aria-disabled={isOff || undefined}
        aria-pressed={isPressed}
        aria-describedby={disabledReason === undefined ? undefined : reason}
        title={hint}
        onClick={() => {
          if (!isOff) press()
        }}
      >
        {icon && <Icon name={icon} size={13} />}
        <span className={isQuiet ? 'ap-hidden' : undefined}>{label}</span>
      </button>
      {disabledReason !== undefined && (
        <span id={reason} hidden>
          {disabledReason}
        </span>
      )}
    </>
  )
}

/** A row of actions; each reason why some of them are disabled is shown once below it. */
export function Actions({
  actions,
  label,
  children,
}: {
  actions: readonly ChatAction[]
  label: string
  children?: ReactNode
}) {
  if (actions.length === 0 && !children) return null
  const reasons = [...new Set(actions.flatMap(({ disabledReason }) => disabledReason ?? []))]
  return (
    <>
      <div role="group" aria-label={label} className="ap-actions">
        {actions.map((action) => (
          <ActionButton key={action.id} action={action} />
        ))}
        {children}
      </div>
      {reasons.map((reason) => (
        <p key={reason} className="ap-reason">
          {reason}
        </p>
      ))}
    </>
  )
}

/** Runs an action, and ignores calls while it is pending. The host reports its failure. */
export function useBusy(run: () => void | Promise<void>): [boolean, () => void] {
  const [isBusy, setBusy] = useState(false)
  const isRunning = useRef(false)
  const press = () => {
    if (isRunning.current) return
    const result = run()
    if (!result) return
    isRunning.current = true
    setBusy(true)
    void result
      .catch(() => undefined)
      .finally(() => {
        isRunning.current = false
        setBusy(false)
      })
  }
  return [isBusy, press]
}
