import type { Editor } from '@tiptap/core'
import { CaseSensitive, ChevronDown, ChevronUp, type LucideIcon, Replace, WholeWord, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { formatShortcut, isMacLike } from '../../common/commands/shortcut-keys.ts'
import { t } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { inputClass } from '../../ui/fields/field.tsx'
import { showError, showToast } from '../../ui/toasts/toasts.tsx'
import type { WritingUi } from '../common/editor-ui.ts'
import { useEditorState } from '../common/use-editor-state.ts'
import type { Query } from './find-matches.ts'
import { endFind, type FindSummary, readSearch } from './find-plugin.ts'
import type * as engine from './find.ts'

type FindBarProps = { editor: Editor; ui: WritingUi; canEdit: boolean }

const none: FindSummary = { count: 0, number: 0 }

// The bar mounts immediately, so that its keys don't go into the text; the search code loads afterwards.
function withEngine(act: (engine: Engine) => void): void {
  // Runs synchronously after loading: Esc directly after a letter selects the match of that letter.
  if (loaded) act(loaded)
  else import('./find.ts').then((module) => act((loaded = module)), showError)
}

type Engine = typeof engine

let loaded: Engine | undefined

const findAgain = (editor: Editor, by: 1 | -1) => withEngine(({ findNext }) => findNext(editor, by))
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

/** The bar for find and replace above the text. Tab moves through its fields first. */
export function FindBar({ editor, ui, canEdit }: FindBarProps) {
  const request = useSyncExternalStore(ui.find.subscribe, ui.find.get)
  const withReplace = request?.withReplace === true && canEdit
  const [query, setQuery] = useState<Query>(() => ({ text: selectedWords(editor), matchCase: false, wholeWord: false }))
  const [words, setWords] = useState('')
  const summary = useEditorState(editor, ({ state }) => readSearch(state)?.summary ?? none)
  const field = useRef<HTMLInputElement>(null)
  useSearch(editor, query)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [request])
  const close = () => {
    ui.find.set(null)
    endFind(editor)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    close()
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <section
      role="search"
      aria-label={t('Find and replace')}
      onKeyDown={onKeyDown}
      className="pop absolute end-3 top-3 z-20 w-[25rem] max-w-[calc(100%-1.5rem)] rounded-xl border border-line bg-surface p-2 shadow-raised"
    >
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-1 gap-y-1.5">
        <Words
          ref={field}
          label={t('Find')}
          value={query.text}
          onChange={(text) => setQuery({ ...query, text })}
          onEnter={(isBackward) => findAgain(editor, isBackward ? -1 : 1)}
        />
        {withReplace && (
          <Words
            label={t('Replace with')}
            value={words}
            onChange={setWords}
            onEnter={() => replaceOne(editor, words)}
          />
        )}
        <Count summary={summary} isSearching={query.text !== ''} />
        <FindButtons {...{ editor, summary, close }} />
        {withReplace && <ReplaceButtons {...{ editor, words }} hasMatch={summary.count > 0} />}
      </div>
      <Options
        {...{ query, setQuery, withReplace }}
        onReplace={canEdit ? () => ui.find.set({ withReplace: true }) : undefined}
      />
    </section>
  )
}

type WordsProps = {
  ref?: RefObject<HTMLInputElement | null>
  label: string
  value: string
  onChange: (value: string) => void
  onEnter: (withShift: boolean) => void
}

function Words({ ref, label, value, onChange, onEnter }: WordsProps) {
  return (
    <input
      ref={ref}
      aria-label={label}
      placeholder={label}
      dir="auto"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
        event.preventDefault()
        onEnter(event.shiftKey)
      }}
      className={`${inputClass} col-start-1 row-start-2 first:row-start-1 first:pe-24`}
    />
  )
}

type FindButtonsProps = { editor: Editor; summary: FindSummary; close: () => void }

function FindButtons({ editor, summary, close }: FindButtonsProps) {
  return (
    <div className="col-start-2 row-start-1 flex items-center justify-end gap-1">
      <IconButton
        label={t('Previous match')}
        shortcut={formatShortcut('Shift-Enter', isMacLike())}
        disabled={summary.count === 0}
        onClick={() => findAgain(editor, -1)}
        className="size-8!"
        icon={ChevronUp}
      />
      <IconButton
        label={t('Next match')}
        shortcut={formatShortcut('Enter', isMacLike())}
        disabled={summary.count === 0}
        onClick={() => findAgain(editor, 1)}
        className="size-8!"
        icon={ChevronDown}
      />
      <IconButton label={t('Close')} shortcut="Esc" onClick={close} className="size-8!" icon={X} size={16} />
    </div>
  )
}

type QueryProps = { query: Query; setQuery: (query: Query) => void }

type OptionsProps = QueryProps & { withReplace: boolean; onReplace: (() => void) | undefined }

function Options({ query, setQuery, withReplace, onReplace }: OptionsProps) {
  return (
    <div className="mt-1 flex items-center gap-1">
      <Toggle
        label={t('Match case')}
        icon={CaseSensitive}
        isOn={query.matchCase}
        onToggle={() => setQuery({ ...query, matchCase: !query.matchCase })}
      />
      <Toggle
        label={t('Whole words')}
        icon={WholeWord}
        isOn={query.wholeWord}
        onToggle={() => setQuery({ ...query, wholeWord: !query.wholeWord })}
      />
      {onReplace && !withReplace && (
        <button type="button" aria-expanded={withReplace} onClick={onReplace} className={`${optionClass} ms-auto`}>
          <Replace size={15} aria-hidden />
          {t('Replace')}
        </button>
      )}
    </div>
  )
}

function Count({ summary: { count, number }, isSearching }: { summary: FindSummary; isSearching: boolean }) {
  return (
    <span
      role="status"
      className="pointer-events-none col-start-1 row-start-1 justify-self-end pe-3 text-xs text-ink-soft tabular-nums"
    >
      {isSearching &&
        (count === 0 ? t('Not found') : t('{position, number} of {count, number}', { position: number, count }))}
    </span>
  )
}

const optionClass =
  'flex h-7 items-center gap-1.5 rounded-md px-2 text-xs text-ink-soft hover:bg-hover hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent-strong'

type ToggleProps = { label: string; icon: LucideIcon; isOn: boolean; onToggle: () => void }

function Toggle({ label, icon: Icon, isOn, onToggle }: ToggleProps) {
  return (
    <button type="button" aria-pressed={isOn} onClick={onToggle} className={optionClass}>
      <Icon size={15} aria-hidden />
      {label}
    </button>
  )
}

type ReplaceButtonsProps = { editor: Editor; words: string; hasMatch: boolean }

function ReplaceButtons({ editor, words, hasMatch }: ReplaceButtonsProps) {
  const replaceThem = () => {
    withEngine(({ replaceEvery }) => {
      const { count, undo } = replaceEvery(editor, words)
      showToast(
        t('{count, plural, one {Replaced # match.} other {Replaced # matches.}}', { count }),
        undo && { label: t('Undo'), ...undo },
      )
      // No match is left to replace: the next key is for the text.
      editor.commands.focus(null, { scrollIntoView: false })
    })
  }
  return (
    <div className="col-start-2 row-start-2 flex items-center gap-1.5">
      <Button disabled={!hasMatch} onClick={() => replaceOne(editor, words)} className="flex-1 px-2.5">
        {t('Replace')}
      </Button>
      <Button disabled={!hasMatch} onClick={replaceThem} className="flex-1 px-2.5">
        {t('All')}
      </Button>
    </div>
  )
}

function selectedWords({ state }: Editor): string {
  const { $from, $to, from, to } = state.selection
  const previous = readSearch(state)?.text ?? ''
  return $from.sameParent($to) && to > from && to - from <= 200 ? state.doc.textBetween(from, to) : previous
}
