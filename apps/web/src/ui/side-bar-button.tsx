import { PanelLeft } from 'lucide-react'
import { useSideBar } from '../common/layout/side-bar-state.ts'
import { t } from '../i18n/translate.ts'
import { IconButton } from './button.tsx'

/** Shows or hides the side bar; renders nothing if it is always visible. */
export function SideBarButton({ place }: { place: 'list' | 'document' }) {
  const { isDocked, isSheetOpen, toggle } = useSideBar(place)
  if (isDocked && place === 'list') return null
  return (
    <IconButton
      label={isDocked ? t('Hide folders') : t('Show folders')}
      aria-expanded={isDocked || isSheetOpen}
      onClick={toggle}
      icon={PanelLeft}
      size={18}
    />
  )
}
