import type { Me } from '@copydesk/protocol'
import { type ReactNode } from 'react'
import { latePart } from '../common/lazy-part.ts'
import { useSideBar } from '../common/layout/side-bar-state.ts'
import { t } from '../i18n/translate.ts'

const SideBar = latePart(async () => (await import('./side-bar.tsx')).SideBar)
const SideBarAids = latePart(async () => (await import('./side-bar-aids.tsx')).SideBarAids)

type WithSideBarProps = { me: Me; place: 'list' | 'document'; children: ReactNode }

/**
 * A page with the side bar next to it, or in narrow windows in a sheet over it, and the dialogs about documents and
 * folders. Stays mounted across pages, so that the side bar keeps its state.
 */
export function WithSideBar({ me, place, children }: WithSideBarProps) {
  const { isDocked, isSheetOpen, toggle } = useSideBar(place)
  return (
    <div className={`flex ${place === 'list' ? 'min-h-full' : 'h-full'} ${isDocked ? 'beside-side-bar' : ''}`}>
      {isDocked && (
        <aside
          aria-label={t('Documents and folders')}
          className={`sticky top-0 flex h-dvh w-(--side-bar) shrink-0 flex-col border-e border-line bg-page print:hidden ${place === 'document' ? 'max-[1440px]:hidden' : ''}`}
        >
          <SideBar me={me} place={place} />
        </aside>
      )}
      <div className="min-w-0 flex-1">{children}</div>
      <SideBarAids me={me} place={place} isSheetOpen={isSheetOpen} onToggle={toggle} />
    </div>
  )
}
