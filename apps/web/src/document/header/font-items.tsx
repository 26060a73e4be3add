import { patchDocument } from '../../api/documents.ts'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { useFont } from '../../collaboration/hooks.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { MenuChoices, MenuLine } from '../../ui/menu.tsx'
import { showError } from '../../ui/toasts.tsx'

const fonts = [
  { value: 'sans', name: 'Sans', style: { fontFamily: 'var(--font-ui)' } },
  { value: 'serif', name: 'Serif', style: { fontFamily: 'var(--font-serif)' } },
  { value: 'mono', name: 'Mono', style: { fontFamily: 'var(--font-code)' } },
] as const satisfies readonly { name: EnglishText; [key: string]: unknown }[]

/** The font in which everyone sees the text. */
export function FontItems({ connection }: { connection: DocumentConnection }) {
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
