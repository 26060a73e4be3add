import type { Me } from '@copydesk/protocol'
import { Sparkles } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useRef, useState } from 'react'
import { returnFocus } from '../common/commands/editor-commands.ts'
import {
  type PaletteEntry,
  type PaletteGroup,
  type PaletteOffers,
  paletteShown,
} from '../common/commands/palette-offers.ts'
import { t } from '../i18n/translate.ts'
import { Combobox } from './combobox.tsx'
import { findEntries } from './find-entries.ts'
import { usePageCommands } from './page-commands.ts'
import { useDocumentGroup } from './use-document-group.ts'

type PaletteProps = { me: Me; offers: PaletteOffers | undefined }

const close = () => paletteShown.set(false)

/**
 * A search over everything that can be opened or done: documents, what the page offers, its commands, and the agent.
 * Closing it returns the focus; what was chosen runs after that.
 */
export function Palette(props: PaletteProps) {
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
            returnFocus(before)
            chosen.current?.()
          }}
          className="pop fixed top-[min(12vh,6rem)] left-1/2 z-50 flex max-h-[min(34rem,calc(100dvh-min(12vh,6rem)-1rem))] w-[min(38rem,calc(100vw-1rem))] -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-raised"
        >
          <Dialog.Title className="sr-only">{t('Search and commands')}</Dialog.Title>
          <Choices {...props} onChoose={choose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Choices({ me, offers, onChoose }: PaletteProps & { onChoose: (entry: PaletteEntry) => void }) {
  const [search, setSearch] = useState('')
  const documents = useDocumentGroup(me, search)
  const commands = usePageCommands(me, offers?.commands ?? [])
  const offered = [documents.group, ...(offers?.groups ?? []), { title: t('Commands'), entries: commands }]
  const found = findEntries(offered, search, documents.isFound)
  return (
    <Combobox
      label={t('Search and commands')}
      placeholder={offers?.ask ? t('Search, run a command, or ask the agent') : t('Search or run a command')}
      search={search}
      onSearch={setSearch}
      groups={[...found, ...askGroup(search, documents.isSettled ? offers?.ask : undefined)]}
      isSettled={documents.isSettled}
      onChoose={onChoose}
    />
  )
}

/** Offered only when the search is over: a quick Enter must not send the name of a document to the agent. */
function askGroup(search: string, ask: ((request: string) => void) | undefined): PaletteGroup[] {
  const request = search.trim()
  if (!ask || request === '') return []
  const entry = {
    id: 'ask',
    label: t('Ask the agent: “{request}”', { request }),
    icon: Sparkles,
    run: () => ask(request),
  }
  return [{ title: t('Agent'), entries: [entry] }]
}
