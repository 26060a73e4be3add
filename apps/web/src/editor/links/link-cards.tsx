import type { Editor } from '@tiptap/core'
import type { EditorUi } from '../editor-ui.ts'
import { LinkCard } from './link-card.tsx'
import { useLinkAt } from './use-link-at.ts'

type LinkCardsProps = { editor: Editor; ui: EditorUi; readOnly: boolean }

/** The card of the link at the caret or under the mouse. */
export function LinkCards(props: LinkCardsProps) {
  const [link, close] = useLinkAt(props.editor)
  return link && <LinkCard key={`${link.from} ${link.href}`} {...props} link={link} onClose={close} />
}
