import { Command } from 'lucide-react'
import { Fragment, useState } from 'react'
import { patchDocument, useDocumentSummary } from '../../api/documents.ts'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { editorCommands } from '../../common/commands/editor-commands.ts'
import { paletteShown } from '../../common/commands/palette-additions.ts'
import { shownKeys } from '../../common/commands/shortcut-keys.ts'
import { useMediaQuery } from '../../common/layout/media-queries.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { MenuChoices, MenuItem, MenuLine, MenuNote } from '../../ui/menus/menu-parts.tsx'
import { useDocumentCommands } from '../commands/document-commands.ts'
import { useFont } from '../../collaboration/hooks.ts'
import { showError } from '../../ui/toasts/toasts.tsx'
import { mayWrite } from '../../common/roles.ts'

export function DocumentMenuItems({ connection }: { connection: DocumentConnection }) {
  const groups = useDocumentCommands(connection)
  const summary = useDocumentSummary(connection.document).data
  const isPhone = useMediaQuery('(max-width: 639px)')
  return (
    <>
      <MenuItem
        icon={Command}
        text={t('Search and commands…')}
        keys={shownKeys.palette}
        opens
        onSelect={() => paletteShown.set(true)}
      />
      {mayWrite(summary) && <FontItems connection={connection} />}
      {groups.map((group) => (
        <Fragment key={group[0]?.label}>
          <MenuLine />
          {group.map(
            ({ label, run, inHeader, ...item }) =>
              (isPhone || !inHeader) && <MenuItem key={label} {...item} text={label} onSelect={run} />,
          )}
        </Fragment>
      ))}
      <MenuLine />
      <TextLength />
    </>
  )
}

/** The length of the text when the menu was opened. */
function TextLength() {
  const [length] = useState(() => editorCommands.get()?.countText())
  if (!length) return null
  const words = t('{count, plural, one {# word} other {# words}}', { count: length.words })
  const characters = t('{count, plural, one {# character} other {# characters}}', { count: length.characters })
  return <MenuNote>{`${words} · ${characters}`}</MenuNote>
}

const fonts = [
  { value: 'sans', name: 'Sans', style: { fontFamily: 'var(--font-ui)' } },
  { value: 'serif', name: 'Serif', style: { fontFamily: 'var(--font-serif)' } },
  { value: 'mono', name: 'Mono', style: { fontFamily: 'var(--font-code)' } },
] as const satisfies readonly { name: EnglishText; [key: string]: unknown }[]

/** The font in which everyone sees the text. */
function FontItems({ connection }: { connection: DocumentConnection }) {
  const choose = (chosen: string) => {
    const font = fonts.find(({ value }) => value === chosen)
    if (font) patchDocument(connection.document, { font: font.value }).catch(showError)
  }
  const choices = fonts.map((font) => ({ ...font, name: t(font.name) }))
  return (
    <>
      <MenuLine />
      <MenuChoices label={t('Font of the text')} value={useFont(connection)} choices={choices} onChoose={choose} />
    </>
  )
}
