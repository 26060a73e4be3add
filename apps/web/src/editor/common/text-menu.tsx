import type { Editor } from '@tiptap/core'
import { DropdownMenu } from 'radix-ui'
import type { ComponentProps } from 'react'

type TextMenuProps = Omit<ComponentProps<typeof DropdownMenu.Content>, 'className'> & { editor: Editor }

/** The style of menus over the text. */
export const textMenuClass =
  'pop z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-raised'

/** The content of a menu over the text. After any choice the focus returns to the text, without scrolling. */
export function TextMenu({ editor, children, ...rest }: TextMenuProps) {
  return (
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        align="start"
        sideOffset={4}
        collisionPadding={8}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          editor.commands.focus(null, { scrollIntoView: false })
        }}
        {...rest}
        className={textMenuClass}
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  )
}
