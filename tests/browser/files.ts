import type { Locator } from '@playwright/test'

/** A file as a test names it; `base64` are its bytes. */
export type TestFile = { name: string; type: string; base64: string }

/** A file with this text, of the type that browsers give by its name. */
export function textFile(name: string, text: string | Buffer): TestFile {
  return { name, type: name.endsWith('.md') ? 'text/markdown' : '', base64: Buffer.from(text).toString('base64') }
}

/** Drops files at the end of an element's line, as the file manager does. */
export async function dropFiles(target: Locator, files: readonly TestFile[]): Promise<void> {
  const box = await target.boundingBox()
  if (!box) throw new Error('not shown')
  const point = { clientX: box.x + box.width - 4, clientY: box.y + box.height / 2 }
  await target.evaluate(
    (element, [place, contents]) => {
      const dataTransfer = new DataTransfer()
      for (const { name, type, base64 } of contents) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
        dataTransfer.items.add(new File([bytes], name, { type }))
      }
      for (const type of ['dragover', 'drop'])
        element.dispatchEvent(new DragEvent(type, { ...place, dataTransfer, bubbles: true, cancelable: true }))
    },
    [point, files] as const,
  )
}
