import type { Me } from '@copydesk/protocol'
import { LogIn, Settings, SlidersHorizontal, UserRoundPen } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '../common/lazy-part.ts'
import { navigate } from '../common/location.tsx'
import { t } from '../i18n/translate.ts'
import { Avatar } from '../ui/people/avatar.tsx'
import { LanguageItems } from '../ui/menus/language-items.tsx'
import { Menu, MenuItem } from '../ui/menus/menu.tsx'

const ProfileDialog = lazyPart(async () => (await import('./profile-dialog.tsx')).ProfileDialog)

const AgentDialog = lazyPart(async () => (await import('./own-agent.tsx')).AgentDialog)

/** The menu behind the name of a user without an account. */
export function OwnMenu({ me }: { me: Me }) {
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState<{ dialog: 'profile' | 'agent'; opener: HTMLElement | null }>()
  const { name, color } = me.user
  const open = (dialog: 'profile' | 'agent') => setOpened({ dialog, opener: button.current })
  return (
    <>
      <Menu
        trigger={
          <button
            ref={button}
            type="button"
            className="relative -mr-1.5 flex h-9 min-w-0 items-center gap-2 rounded-md px-1.5 text-sm text-ink-soft hover:bg-hover hover:text-ink data-[state=open]:bg-hover"
          >
            <Avatar name={name} color={color} kind="person" />
            <span className="sr-only">{t('{name}: your name and colour', { name })}</span>
            <span aria-hidden className="hidden max-w-40 truncate sm:inline">
              {name}
            </span>
          </button>
        }
      >
        <MenuItem icon={UserRoundPen} opens onSelect={() => open('profile')} text={t('Change name and colour…')} />
        {!me.guest && (
          <MenuItem icon={SlidersHorizontal} opens onSelect={() => open('agent')} text={t('Agent preferences…')} />
        )}
        {me.agent.mayConfigure && (
          <MenuItem icon={Settings} onSelect={() => navigate('/agents')} text={t('Agents and models')} />
        )}
        <LanguageItems />
        {me.guest && <MenuItem icon={LogIn} onSelect={() => navigate('/sign-in')} text={t('Sign in')} />}
      </Menu>
      {opened && (
        <Suspense>
          {opened.dialog === 'profile' ? (
            <ProfileDialog me={me} opener={opened.opener} onClose={() => setOpened(undefined)} />
          ) : (
            <AgentDialog opener={opened.opener} onClose={() => setOpened(undefined)} />
          )}
        </Suspense>
      )}
    </>
  )
}
