import { longestTitle } from '@copydesk/schema'
import type { Editor } from '@tiptap/core'
import { Selection } from 'prosemirror-state'
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { useSharedTitle } from '../../collaboration/hooks.ts'
import { t } from '../../i18n/translate.ts'

type TitleLineProps = { editor: Editor; meta: DocumentConnection['meta']; readOnly: boolean; takesFocus: boolean }

/**
 * The document's title as the first line of its page. Typed text is written to the shared document after a pause, on
 * leaving and on blur; otherwise the line shows what others write. Enter and ArrowDown go on into the text.
 */
export function TitleLine({ editor, meta, readOnly, takesFocus }: TitleLineProps) {
  const shared = useSharedTitle(meta)
  const [draft, setDraft] = useState<string | null>(null)
  const write = useTitleWriter({ meta, readOnly, draft, done: () => setDraft(null) })
  const value = draft ?? shared
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, nativeEvent, currentTarget } = event
    const leaves = key === 'Enter' || key === 'Escape' || (key === 'ArrowDown' && isOnLastLine(currentTarget))
    if (nativeEvent.isComposing || !leaves) return
    event.preventDefault()
    if (key === 'Escape') setDraft(null)
    else write()
    goToText(editor)
  }
  return (
    <div className="title-line" data-value={value || t('Untitled')}>
      <textarea
        aria-label={t('Title')}
        placeholder={t('Untitled')}
        dir="auto"
        rows={1}
        maxLength={longestTitle}
        autoFocus={takesFocus}
        readOnly={readOnly}
        spellCheck
        value={value}
        onChange={(event) => setDraft(event.target.value.replaceAll(/\s*\n\s*/g, ' '))}
        onKeyDown={onKeyDown}
        onBlur={write}
      />
    </div>
  )
}

// At once, not in the next frame: the next key belongs to the text.
function goToText({ view }: Editor): void {
  view.dispatch(view.state.tr.setSelection(Selection.atStart(view.state.doc)).scrollIntoView())
  view.focus()
}

function isOnLastLine({ value, selectionEnd, clientHeight }: HTMLTextAreaElement): boolean {
  return selectionEnd === value.length || clientHeight < oneLine
}

// In pixels: more than one line of the title, less than two.
const oneLine = 60

const writeDelay = 250

type TitleDraft = Pick<TitleLineProps, 'meta' | 'readOnly'> & { draft: string | null; done: () => void }

function useTitleWriter({ meta, readOnly, draft, done }: TitleDraft): () => void {
  const set = (title: string) => {
    if (!readOnly && title !== (meta.get('title') ?? '')) meta.set('title', title)
    done()
  }
  // While the user is typing, a trailing space may precede a word.
  const rest = useEffectEvent(() => draft !== null && set(draft))
  useEffect(() => {
    if (draft === null) return undefined
    const timer = setTimeout(() => rest(), writeDelay)
    return () => clearTimeout(timer)
  }, [draft])
  // A user may leave the page by a shortcut before the pause; afterwards the connection is closed.
  useLayoutEffect(() => () => void rest(), [])
  return () => {
    const title = draft ?? meta.get('title')
    if (typeof title === 'string' && (draft !== null || title !== title.trim())) set(title.trim())
  }
}
