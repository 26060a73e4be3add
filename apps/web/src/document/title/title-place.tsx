import type { Editor } from '@tiptap/core'
import { useEffect, useEffectEvent, useState, type KeyboardEvent, useLayoutEffect } from 'react'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { beginsWithTitle, followHeading, watchOpening } from './title-heading.ts'
import { type TitleInView, TitleMark } from './title-in-view.tsx'
import { longestTitle } from '@copydesk/schema'
import { Selection } from 'prosemirror-state'
import { useSharedTitle } from '../../collaboration/hooks.ts'
import { t } from '../../i18n/translate.ts'

type TitlePlaceProps = {
  connection: DocumentConnection
  editor: Editor
  inView: TitleInView
  readOnly: boolean
  takesFocus: boolean
}

/** The title above the text, unless the text begins with it (docs/decisions/0028-the-title-is-one-line.md). */
export function TitlePlace({ connection, editor, inView, readOnly, takesFocus }: TitlePlaceProps) {
  const { fragment, meta } = connection
  const mayWrite = useEffectEvent(() => !readOnly)
  // Decided while the document is opened: a heading that is being typed never becomes the title.
  const [isInText, setInText] = useState(() => beginsWithTitle(fragment, meta))
  useEffect(() => {
    if (isInText) return followHeading({ fragment, meta, mayWrite, onParted: () => setInText(false) })
    return watchOpening({ fragment, meta, onBegins: () => setInText(true) })
  }, [isInText, fragment, meta])
  return (
    <>
      <TitleMark inView={inView} />
      {isInText ? (
        <div className="title-in-text" />
      ) : (
        <TitleLine editor={editor} meta={meta} readOnly={readOnly} takesFocus={takesFocus} />
      )}
    </>
  )
}

type TitleLineProps = { editor: Editor; meta: DocumentConnection['meta']; readOnly: boolean; takesFocus: boolean }

/**
 * The document's title as the first line of its page. Typed text is written to the shared document after a pause, on
 * leaving and on blur; otherwise the line shows changes of others. Enter and ArrowDown move the caret into the text.
 */
function TitleLine({ editor, meta, readOnly, takesFocus }: TitleLineProps) {
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

// Immediately, not in the next frame: the next key belongs to the text.
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
