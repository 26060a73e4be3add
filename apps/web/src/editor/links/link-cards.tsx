import type { Editor } from '@tiptap/core'
import { lazy, Suspense } from 'react'
import type { EditorUi } from '../editor-ui.ts'
import { useLinkAt } from './use-link-at.ts'

const LinkCard = lazy(async () => ({ default: (await import('./link-card.tsx')).LinkCard }))

type LinkCardsProps = { editor: Editor; ui: EditorUi; readOnly: boolean }

/** The card of the link that the caret stands in or the mouse rests on. */
export function LinkCards(props: LinkCardsProps) {
  const [link, close] = useLinkAt(props.editor)
  if (!link) return null
  return (
    <Suspense fallback={null}>
      <LinkCard key={`${link.from} ${link.href}`} {...props} link={link} onClose={close} />
    </Suspense>
  )
}
