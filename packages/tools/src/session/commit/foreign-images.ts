import { AttrStep, ReplaceAroundStep, ReplaceStep, type Transform } from 'prosemirror-transform'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'

/**
 * Refuses a change that adds an image from another server which neither the document nor the caller has named. Every
 * reader's browser would fetch its address, and an address can leak anything that the agent has read.
 */
export function refuseForeignImages(
  transform: Transform,
  isNamed: (address: string) => boolean,
): ToolFailure | undefined {
  const added = imagesIn(transform)
  if (added.length === 0) return undefined
  const known = new Set<string>()
  transform.before.descendants((node) => {
    if (node.type.name === 'image') known.add(normalize(String(node.attrs.src)))
  })
  const foreign = added.find((address) => isForeign(address) && !known.has(normalize(address)) && !isNamed(address))
  if (foreign === undefined) return undefined
  return failure(
    'denied',
    `The image ${shorten(foreign, 200)} comes from another server, and no person has named it.`,
    'Leave the image out, or ask the person for the address of the image that they want.',
  )
}

// Resolves an address like a browser on any server: it drops tabs and treats a backslash as a slash.
const own = 'http://own.invalid'

function isForeign(address: string): boolean {
  return !URL.canParse(address, own) || new URL(address, own).origin !== own
}

function normalize(address: string): string {
  return URL.canParse(address, own) ? new URL(address, own).href : address
}

function imagesIn({ steps }: Transform): string[] {
  const addresses: string[] = []
  for (const step of steps) {
    if (step instanceof AttrStep && step.attr === 'src') addresses.push(String(step.value))
    if (!(step instanceof ReplaceStep || step instanceof ReplaceAroundStep)) continue
    step.slice.content.descendants((node) => {
      if (node.type.name === 'image') addresses.push(String(node.attrs.src))
    })
  }
  return addresses
}
