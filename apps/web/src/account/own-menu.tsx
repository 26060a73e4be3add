import type { Me } from '@copydesk/protocol'
import { LogIn, Settings, SlidersHorizontal, UserRoundPen } from 'lucide-react'
import { useRef, useState } from 'react'
import { separatePart } from '../common/lazy-part.ts'
import { navigate } from '../common/location.tsx'
import { t } from '../i18n/translate.ts'
import { LanguageItems } from '../ui/menus/language-items.tsx'
import { MenuItem } from '../ui/menus/menu.tsx'
import { UserMenu } from './user-menu.tsx'

const ProfileDialog = separatePart(async () => (await import('./profile-dialog.tsx')).ProfileDialog)

const AgentDialog = separatePart(async () => (await import('./own-agent.tsx')).AgentDialog)

/** The menu behind the name of a user without an account. */
export function OwnMenu({ me }: { me: Me }) {
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState<{ dialog: 'profile' | 'agent'; opener: HTMLElement | null }>()
  const { name } = me.user
  const open = (dialog: 'profile' | 'agent') => setOpened({ dialog, opener: button.current })
  return (
    <>
      <UserMenu user={me.user} label={t('{name}: your name and colour', { name })} button={button}>
        <MenuItem icon={UserRoundPen} opens onSelect={() => open('profile')} text={t('Change name and colour…')} />
        {!me.guest && (
          <MenuItem icon={SlidersHorizontal} opens onSelect={() => open('agent')} text={t('Agent preferences…')} />
        )}
        {me.agent.mayConfigure && (
          <MenuItem icon={Settings} onSelect={() => navigate('/agents')} text={t('Agents and models')} />
        )}
        <LanguageItems />
        {me.guest && <MenuItem icon={LogIn} onSelect={() => navigate('/sign-in')} text={t('Sign in')} />}
      </UserMenu>
      {opened?.dialog === 'profile' && (
        <ProfileDialog me={me} opener={opened.opener} onClose={() => setOpened(undefined)} />
      )}
      {opened?.dialog === 'agent' && <AgentDialog opener={opened.opener} onClose={() => setOpened(undefined)} />}
    </>
  )
}
