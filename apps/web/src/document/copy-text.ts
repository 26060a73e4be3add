import { showToast } from '../app/toasts.tsx'

/** Copies a text to the clipboard and confirms it, or says what to do if the browser doesn't allow it. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast('Text copied.')
  } catch {
    showToast('The browser didn’t allow copying. Select the text and copy it yourself.')
  }
}
