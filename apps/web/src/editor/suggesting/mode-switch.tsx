import { ChevronDown } from 'lucide-react'
import { Suspense, useSyncExternalStore } from 'react'
import { useKeyDown } from '../../common/commands/use-key-down.ts'
import { lazyPart } from '../../common/lazy-part.ts'
import type { Store } from '../../common/store.ts'
import { t } from '../../i18n/translate.ts'
import { Menu } from '../../ui/menus/menu.tsx'
import { type EditingMode, modeAppearances } from './editing-mode.ts'

const ModeItems = lazyPart(async () => (await import('./mode-items.tsx')).ModeItems)

/** Shows this user's editing mode, and changes it. */
export function ModeSwitch({ mode }: { mode: Store<EditingMode> }) {
  const current = useSyncExternalStore(mode.subscribe, mode.get)
  const { icon: Icon, label: text } = modeAppearances[current]
  const label = t(text)
  useKeysWhileViewing(mode, current === 'viewing')
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            aria-label={t('Mode: {label}', { label })}
            data-mode={current}
            className="inline-flex h-9 shrink-0 items-center gap-1.5 rounded-md px-2 text-sm font-medium text-ink-soft hover:bg-hover hover:text-ink data-[mode=suggesting]:bg-accent-soft data-[mode=suggesting]:text-accent-strong data-[state=open]:bg-hover"
          >
            <Icon size={16} aria-hidden />
            <span className="hidden sm:inline">{label}</span>
            <ChevronDown size={14} aria-hidden />
          </button>
        }
      >
        {/* Without it the whole page would suspend for the items. */}
        <Suspense fallback={<div className="h-40 w-72" />}>
          <ModeItems mode={mode} />
        </Suspense>
      </Menu>
      <span role="status" className="sr-only">
        {label}
      </span>
    </>
  )
}

const byCode: Record<string, EditingMode> = { KeyZ: 'editing', KeyX: 'suggesting' }

// Read-only text handles none of these keys.
function useKeysWhileViewing(mode: Store<EditingMode>, isViewing: boolean): void {
  useKeyDown((event) => {
    const chosen = byCode[event.code]
    if (!isViewing || !chosen || !event.altKey || !event.shiftKey || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    mode.set(chosen)
  })
}
