import type { Person } from './people.ts'

/** Pastes as the browser does after the keys for it, with this in the clipboard. */
export async function paste(person: Person, clipboard: Record<string, string>): Promise<void> {
  await person.editor.evaluate((editor, contents) => {
    const clipboardData = new DataTransfer()
    for (const [type, text] of Object.entries(contents)) clipboardData.setData(type, text)
    editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, clipboard)
}
