import { Trash2 } from 'lucide-react'
import { type ComponentProps, type ReactNode, type RefObject, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { DeleteQuestion } from '../question.tsx'
import { ActionMenu } from './action-menu.tsx'
import { MenuItem } from './menu.tsx'

type Removal = Omit<ComponentProps<typeof DeleteQuestion>, 'opener' | 'onClose' | 'children'> & {
  /** The text of the action; "Delete" by default. */
  action?: string
  /** Says what is lost. */
  text: ReactNode
}

type RowMenuProps = {
  /** The name of the row's object. */
  name: string
  button: RefObject<HTMLButtonElement | null>
  /** The deletion of the row; without it, the menu doesn't offer one. */
  removal?: Removal | false
  children: ReactNode
}

/** The menu of a row: its actions, and its deletion after a confirmation. */
export function RowMenu({ name, button, removal, children }: RowMenuProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <ActionMenu label={t('Actions for {name}', { name })} button={button} className="-my-1.5 -me-2.5">
        {children}
        {removal && (
          <MenuItem icon={Trash2} danger onSelect={() => setAsking(true)} text={removal.action ?? t('Delete')} />
        )}
      </ActionMenu>
      {removal && isAsking && (
        <DeleteQuestion {...removal} opener={button} onClose={() => setAsking(false)}>
          {removal.text}
        </DeleteQuestion>
      )}
    </>
  )
}
