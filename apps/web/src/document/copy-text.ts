import { showToast } from '../app/toasts.tsx'

/** Copies a text to the clipboard and says so, or what to do where the browser doesn't allow it. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast('Text copied.')
  } catch {
    showToast('The browser didn’t allow copying. Select the text and copy it yourself.')
  }
}
