import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { useSharedTitle } from '../collaboration/hooks.ts'

type TitleFieldProps = { meta: DocumentConnection['meta']; readOnly: boolean; takesFocus: boolean }

const writeDelay = 250

/**
 * The document's shared title. Typed text is written to the shared document after a pause, on Enter and on blur;
 * otherwise the field shows remote changes.
 */
export function TitleField({ meta, readOnly, takesFocus }: TitleFieldProps) {
  const shared = useSharedTitle(meta)
  const [draft, setDraft] = useState<string | null>(null)
  const write = useTitleWriter({ meta, readOnly, draft, done: () => setDraft(null) })
  useEffect(() => {
    document.title = `${shared || 'Untitled'} – Copydesk`
  }, [shared])
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    if (event.key === 'Enter') write()
    else setDraft(null)
    document.querySelector<HTMLElement>('.document-text')?.focus()
  }
  return (
    <input
      aria-label="Title"
      placeholder="Untitled"
      dir="auto"
      maxLength={300}
      autoFocus={takesFocus}
      readOnly={readOnly}
      value={draft ?? shared}
      onChange={(event) => setDraft(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={write}
      className="h-9 min-w-0 flex-1 truncate rounded-md border border-transparent bg-transparent px-2 text-base font-semibold hover:border-line focus-visible:border-line focus-visible:outline-offset-0 sm:max-w-md sm:flex-initial sm:grow"
    />
  )
}

type TitleDraft = Omit<TitleFieldProps, 'takesFocus'> & { draft: string | null; done: () => void }

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
