import { copyText } from '../../common/copy-text.ts'
import { t } from '../../i18n/translate.ts'
import { showToast } from './toasts.tsx'

/** Copies the address of a path of this server and confirms it; if copying isn't allowed, shows the address. */
export async function copyLink(path: string): Promise<void> {
  const address = new URL(path, location.origin).href
  const isCopied = await copyText(address)
  showToast(isCopied ? t('Link copied.') : t('The browser didn’t allow copying. The link is {address}', { address }))
}

/** Copies a text that the page shows and confirms it; if copying isn't allowed, says what to do. */
export async function copyShownText(text: string): Promise<void> {
  const isCopied = await copyText(text)
  showToast(t(isCopied ? 'Text copied.' : 'The browser didn’t allow copying. Select the text and copy it yourself.'))
}
