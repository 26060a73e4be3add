import type { Me } from '@copydesk/protocol'
import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import { Sheet } from '../ui/dialog.tsx'
import { SideBar } from './side-bar.tsx'

type SideBarSheetProps = { me: Me; place: 'list' | 'document'; onClose: () => void }

/** The side bar over a page that is too narrow for it. Closes when a page is chosen in it. */
export function SideBarSheet({ me, place, onClose }: SideBarSheetProps) {
  const [opener] = useState(() => document.activeElement)
  return (
    <Sheet
      title={t('Documents and folders')}
      open
      onOpenChange={(open) => !open && onClose()}
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        if (opener instanceof HTMLElement) opener.focus()
      }}
      className="h-[85dvh] min-[900px]:inset-y-0 min-[900px]:end-auto min-[900px]:h-auto min-[900px]:w-80 min-[900px]:rounded-none min-[900px]:border-e min-[900px]:border-t-0"
    >
      <SideBar me={me} place={place} onClose={onClose} onGo={onClose} />
    </Sheet>
  )
}
