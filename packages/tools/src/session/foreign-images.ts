import { ReplaceAroundStep, ReplaceStep, type Transform } from 'prosemirror-transform'
import { failure, shorten, type ToolFailure } from '../result.ts'

/**
 * Refuses a change that brings in an image from another server which neither the document nor the caller has named. Every
 * reader's browser would fetch its address, and an address can carry out whatever the agent has read.
 */
export function refuseForeignImages(
  transform: Transform,
  isNamed: (address: string) => boolean,
): ToolFailure | undefined {
  const added = imagesIn(transform)
  if (added.length === 0) return undefined
  const known = new Set<string>()
  transform.before.descendants((node) => {
    if (node.type.name === 'image') known.add(String(node.attrs.src))
  })
  const foreign = added.find(
    (address) => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address) && !known.has(address) && !isNamed(address),
  )
  if (foreign === undefined) return undefined
  return failure(
    'denied',
    `The image ${shorten(foreign, 200)} comes from another server, and nobody has named it.`,
    'Leave the image out, or ask the person for the address of the image that they want.',
  )
}

function imagesIn({ steps }: Transform): string[] {
  const addresses: string[] = []
  for (const step of steps) {
    if (!(step instanceof ReplaceStep || step instanceof ReplaceAroundStep)) continue
    step.slice.content.descendants((node) => {
      if (node.type.name === 'image') addresses.push(String(node.attrs.src))
    })
  }
  return addresses
}
