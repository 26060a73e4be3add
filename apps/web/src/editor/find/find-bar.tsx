import type { Editor } from '@tiptap/core'
import { CaseSensitive, ChevronDown, ChevronUp, type LucideIcon, WholeWord, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { inputClass } from '../../ui/field.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import type { WritingUi } from '../common/editor-ui.ts'
import { useEditorState } from '../common/use-editor-state.ts'
import type { Query } from './find-matches.ts'
import { endFind, type FindSummary, readSearch } from './find-plugin.ts'
import type * as engine from './find.ts'

type FindBarProps = { editor: Editor; ui: WritingUi; canEdit: boolean }

const none: FindSummary = { count: 0, number: 0 }

// The bar mounts immediately, so that its keys don't go into the text; the search code loads after it.
function withEngine(act: (engine: Engine) => void): void {
  // Runs synchronously once loaded: Esc right after a letter goes to the match of that letter.
  if (loaded) act(loaded)
  else import('./find.ts').then((module) => act((loaded = module)), showError)
}

type Engine = typeof engine

let loaded: Engine | undefined

const goOn = (editor: Editor, by: 1 | -1) => withEngine(({ findNext }) => findNext(editor, by))
const replaceOne = (editor: Editor, words: string) => withEngine(({ replaceActive }) => replaceActive(editor, words))

function useSearch(editor: Editor, query: Query): void {
  useEffect(() => {
    let isCurrent = true
    withEngine(({ find }) => isCurrent && find(editor, query))
    return () => {
      isCurrent = false
    }
  }, [editor, query])
  useEffect(() => {
    let stop: (() => void) | undefined
    let isCurrent = true
    withEngine(({ watchView }) => {
      if (isCurrent) stop = watchView(editor)
    })
    return () => {
      isCurrent = false
      stop?.()
    }
  }, [editor])
}

/** The bar for find and replace above the text. */
export function FindBar({ editor, ui, canEdit }: FindBarProps) {
  const withReplace = useSyncExternalStore(ui.find.subscribe, ui.find.get) === 'replace' && canEdit
  const [query, setQuery] = useState<Query>(() => ({ text: selectedWords(editor), matchCase: false, wholeWord: false }))
  const summary = useEditorState(editor, ({ state }) => readSearch(state)?.summary ?? none)
  const field = useRef<HTMLInputElement>(null)
  useSearch(editor, query)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [withReplace])
  const close = () => {
    ui.find.set(null)
    endFind(editor)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isFind = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f'
    if (event.key === 'Escape') close()
    else if (isFind) ui.find.set(event.altKey && canEdit ? 'replace' : 'find')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <section
      role="search"
      aria-label="Find and replace"
      onKeyDown={onKeyDown}
      className="pop absolute end-3 top-3 z-20 w-[25rem] max-w-[calc(100%-1.5rem)] rounded-xl border border-line bg-surface p-2 shadow-raised"
    >
      <FindLine {...{ editor, query, setQuery, summary, field, close }} />
      {withReplace && <ReplaceLine editor={editor} hasMatch={summary.count > 0} />}
      <Options
        {...{ query, setQuery, withReplace }}
        onReplace={canEdit ? () => ui.find.set(withReplace ? 'find' : 'replace') : undefined}
      />
    </section>
  )
}

type QueryProps = { query: Query; setQuery: (query: Query) => void }

type FindLineProps = QueryProps & {
  editor: Editor
  summary: FindSummary
  field: RefObject<HTMLInputElement | null>
  close: () => void
}

function FindLine({ editor, query, setQuery, summary, field, close }: FindLineProps) {
  return (
    <div className="flex items-center gap-1">
      <input
        ref={field}
        aria-label="Find"
        placeholder="Find"
        dir="auto"
        value={query.text}
        onChange={(event) => setQuery({ ...query, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          goOn(editor, event.shiftKey ? -1 : 1)
        }}
        className={`${inputClass} min-w-0 flex-1`}
      />
      <Count summary={summary} isSearching={query.text !== ''} />
      <IconButton
        label="Previous match"
        shortcut="Shift+Enter"
        disabled={summary.count === 0}
        onClick={() => goOn(editor, -1)}
        className="size-8!"
      >
        <ChevronUp size={17} aria-hidden />
      </IconButton>
      <IconButton
        label="Next match"
        shortcut="Enter"
        disabled={summary.count === 0}
        onClick={() => goOn(editor, 1)}
        className="size-8!"
      >
        <ChevronDown size={17} aria-hidden />
      </IconButton>
      <IconButton label="Close" shortcut="Esc" onClick={close} className="size-8!">
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  )
}

type OptionsProps = QueryProps & { withReplace: boolean; onReplace: (() => void) | undefined }

function Options({ query, setQuery, withReplace, onReplace }: OptionsProps) {
  return (
    <div className="mt-1 flex items-center gap-1">
      <Toggle
        label="Match case"
        icon={CaseSensitive}
        isOn={query.matchCase}
        onToggle={() => setQuery({ ...query, matchCase: !query.matchCase })}
      />
      <Toggle
        label="Whole words"
        icon={WholeWord}
        isOn={query.wholeWord}
        onToggle={() => setQuery({ ...query, wholeWord: !query.wholeWord })}
      />
      {onReplace && !withReplace && (
        <button
          type="button"
          aria-expanded={withReplace}
          onClick={onReplace}
          className="ms-auto h-7 rounded-md px-2 text-xs text-ink-soft hover:bg-hover hover:text-ink"
        >
          Replace
        </button>
      )}
    </div>
  )
}

function Count({ summary: { count, number }, isSearching }: { summary: FindSummary; isSearching: boolean }) {
  return (
    <span role="status" className="min-w-16 shrink-0 px-1 text-center text-xs text-ink-soft tabular-nums">
      {isSearching && (count === 0 ? 'Not found' : `${number} of ${count}`)}
    </span>
  )
}

type ToggleProps = { label: string; icon: LucideIcon; isOn: boolean; onToggle: () => void }

function Toggle({ label, icon: Icon, isOn, onToggle }: ToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onToggle}
      className="flex h-7 items-center gap-1.5 rounded-md px-2 text-xs text-ink-soft hover:bg-hover hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
    >
      <Icon size={15} aria-hidden />
      {label}
    </button>
  )
}

function ReplaceLine({ editor, hasMatch }: { editor: Editor; hasMatch: boolean }) {
  const [words, setWords] = useState('')
  const replaceThem = () => {
    withEngine(({ replaceEvery }) => {
      const { count, undo } = replaceEvery(editor, words)
      showToast(count === 1 ? 'Replaced 1 match.' : `Replaced ${count} matches.`, undo && { label: 'Undo', ...undo })
      // Nothing is left to replace: the next key is for the text.
      editor.commands.focus(null, { scrollIntoView: false })
    })
  }
  return (
    <div className="mt-1.5 flex items-center gap-1.5">
      <input
        aria-label="Replace with"
        placeholder="Replace with"
        dir="auto"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          replaceOne(editor, words)
        }}
        className={`${inputClass} min-w-0 flex-1`}
      />
      <Button disabled={!hasMatch} onClick={() => replaceOne(editor, words)} className="px-2.5">
        Replace
      </Button>
      <Button disabled={!hasMatch} onClick={replaceThem} className="px-2.5">
        All
      </Button>
    </div>
  )
}

function selectedWords({ state }: Editor): string {
  const { $from, $to, from, to } = state.selection
  const previous = readSearch(state)?.text ?? ''
  return $from.sameParent($to) && to > from && to - from <= 200 ? state.doc.textBetween(from, to) : previous
}
