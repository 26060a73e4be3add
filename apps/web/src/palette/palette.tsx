import type { Me } from '@copydesk/protocol'
import { Command } from 'cmdk'
import { Search, Sparkles } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useRef, useState } from 'react'
import { type PaletteEntry, type PaletteGroup, type PaletteOffers, paletteShown } from '../common/palette-offers.ts'
import { formatShortcut, isMacLike } from '../common/shortcut-keys.ts'
import { findEntries } from './find-entries.ts'
import { usePageCommands } from './page-commands.ts'
import { useDocumentGroup } from './use-document-group.ts'

type PaletteProps = { me: Me; offers: PaletteOffers | undefined }

const close = () => paletteShown.set(false)

/**
 * A search over everything that can be opened or done, with a combobox: documents, what the page offers, its commands,
 * and the agent. Closing it returns the focus; what was chosen runs after that.
 */
export function Palette({ me, offers }: PaletteProps) {
  const [before] = useState(() => document.activeElement)
  const chosen = useRef<() => void>(undefined)
  const choose = ({ run }: PaletteEntry) => {
    chosen.current = run
    close()
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (before instanceof HTMLElement) before.focus({ preventScroll: true })
            chosen.current?.()
          }}
          className="pop fixed top-[min(12vh,6rem)] left-1/2 z-50 flex max-h-[min(34rem,calc(100dvh-min(12vh,6rem)-1rem))] w-[min(38rem,calc(100vw-1rem))] -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-raised"
        >
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Choices me={me} offers={offers} onChoose={choose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type ChoicesProps = PaletteProps & { onChoose: (entry: PaletteEntry) => void }

function Choices({ me, offers, onChoose }: ChoicesProps) {
  const [search, setSearch] = useState('')
  const documents = useDocumentGroup(me, search)
  const commands = usePageCommands(me, offers?.commands ?? [])
  const found = findEntries(
    [documents.group, ...(offers?.groups ?? []), { title: 'Commands', entries: commands }],
    search,
    documents.isFound,
  )
  const groups = [...found, ...askGroup(search, documents.isSettled ? offers?.ask : undefined)]
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0)
  return (
    <Command label="Search and commands" shouldFilter={false} vimBindings={false} loop className="contents">
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search size={18} aria-hidden className="shrink-0 text-ink-faint" />
        <Command.Input
          autoFocus
          dir="auto"
          maxLength={2000}
          value={search}
          onValueChange={setSearch}
          placeholder={offers?.ask ? 'Search, run a command, or ask the agent' : 'Search or run a command'}
          className="h-12 min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-faint"
        />
      </div>
      <Command.List label="Results" className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain p-2">
        {groups.map((group) => (
          <Group key={group.title} group={group} onChoose={onChoose} />
        ))}
      </Command.List>
      {count === 0 && documents.isSettled && (
        <p className="px-4 pb-5 text-center text-sm text-ink-soft">Nothing found.</p>
      )}
      <p role="status" className="sr-only">
        {documents.isSettled && search !== '' ? resultCount(count) : ''}
      </p>
    </Command>
  )
}

/** Offered only when the search is over: a quick Enter must not send the name of a document to the agent. */
function askGroup(search: string, ask: ((request: string) => void) | undefined): PaletteGroup[] {
  const request = search.trim()
  if (!ask || request === '') return []
  const entry = { id: 'ask', label: `Ask the agent: “${request}”`, icon: Sparkles, run: () => ask(request) }
  return [{ title: 'Agent', entries: [entry] }]
}

function resultCount(count: number): string {
  return count === 0 ? 'Nothing found' : `${count} ${count === 1 ? 'result' : 'results'}`
}

function Group({ group: { title, entries }, onChoose }: { group: PaletteGroup } & Pick<ChoicesProps, 'onChoose'>) {
  return (
    <Command.Group
      heading={title}
      className="mb-1 **:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:pt-2 **:[[cmdk-group-heading]]:pb-1 **:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:font-medium **:[[cmdk-group-heading]]:text-ink-faint"
    >
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} value={`${title} ${entry.id}`} onChoose={onChoose} />
      ))}
    </Command.Group>
  )
}

type EntryProps = { entry: PaletteEntry; value: string } & Pick<ChoicesProps, 'onChoose'>

function Entry({ entry, value, onChoose }: EntryProps) {
  const { label, icon: Icon, detail, keys } = entry
  return (
    <Command.Item
      value={value}
      onSelect={() => onChoose(entry)}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm data-[selected=true]:bg-hover pointer-coarse:min-h-11"
    >
      <span aria-hidden className="flex w-4 shrink-0 justify-center text-ink-soft">
        {Icon && <Icon size={16} />}
      </span>
      <span dir="auto" className="min-w-0 truncate">
        {label}
      </span>
      {detail !== undefined && <span className="shrink-0 text-ink-faint">{detail}</span>}
      {keys !== undefined && (
        <kbd className="ms-auto shrink-0 ps-2 font-sans text-xs text-ink-faint">
          {formatShortcut(keys, isMacLike())}
        </kbd>
      )}
    </Command.Item>
  )
}
