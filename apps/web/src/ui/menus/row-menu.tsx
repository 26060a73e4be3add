import { Trash2 } from 'lucide-react'
import { type ComponentProps, type ReactNode, type RefObject, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { DeleteQuestion } from '../question.tsx'
import { ActionMenu } from './action-menu.tsx'
import { MenuItem } from './menu.tsx'

type Removal = Omit<ComponentProps<typeof DeleteQuestion>, 'opener' | 'onClose' | 'children'> & {
  /** The text of the action; "Delete" by default. */
  action?: string
  /** What is lost. */
  text: ReactNode
}

type RowMenuProps = {
  /** The name of what the row shows. */
  name: string
  button: RefObject<HTMLButtonElement | null>
  /** How the row is deleted; without it, the menu doesn't offer that. */
  removal?: Removal | false
  children: ReactNode
}

/** The menu of a row: its actions, and after a question its deletion. */
export function RowMenu({ name, button, removal, children }: RowMenuProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <ActionMenu label={t('Actions for {name}', { name })} button={button}>
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
