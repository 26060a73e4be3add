import type { Me } from '@copydesk/protocol'
import { LogOut, Settings, UserRound } from 'lucide-react'
import { useRef, useState } from 'react'
import { lazyPart } from '../common/lazy-part.ts'
import { readIndex, unsentStores } from '../collaboration/offline-index.ts'
import { navigate } from '../common/location.tsx'
import { t } from '../i18n/translate.ts'
import { LanguageItems } from '../ui/menus/language-items.tsx'
import { MenuItem, MenuLine } from '../ui/menus/menu.tsx'
import { showError } from '../ui/toasts/toasts.tsx'
import { leave, SignOutDialog } from './sign-out-dialog.tsx'
import { UserMenu } from './user-menu.tsx'

const OwnMenu = lazyPart(async () => (await import('./own-menu.tsx')).OwnMenu)

/** The menu behind the user's name: actions on the account, or for users without an account on the name. */
export function AccountMenu({ me }: { me: Me }) {
  if (me.auth === 'open' || me.guest === true) return <OwnMenu me={me} />
  return <Menus me={me} />
}

function Menus({ me }: { me: Me }) {
  const button = useRef<HTMLButtonElement>(null)
  const [asking, setAsking] = useState<{ opener: HTMLElement | null }>()
  const { id, name } = me.user
  const signOut = () => {
    if (unsentStores(readIndex(), id).length > 0) setAsking({ opener: button.current })
    else leave(id, false).catch(showError)
  }
  return (
    <>
      <UserMenu user={me.user} label={t('{name}: account', { name })} button={button}>
        <MenuItem icon={UserRound} onSelect={() => navigate('/account')} text={t('Your account')} />
        {me.operator === true && (
          <MenuItem icon={Settings} onSelect={() => navigate('/people')} text={t('Administration')} />
        )}
        <MenuLine />
        <LanguageItems />
        <MenuItem icon={LogOut} onSelect={signOut} text={t('Sign out')} />
      </UserMenu>
      {asking && <SignOutDialog account={id} returnFocusTo={asking.opener} onClose={() => setAsking(undefined)} />}
    </>
  )
}
