const offset = 0xcbf29ce484222325n
const prime = 0x100000001b3n

/**
 * The id of an object that a tool call creates in the room document, the same each time the call is made: a letter for
 * its kind and a 64-bit FNV-1a hash of kind and call id, in lower-case letters and digits. Call ids contain the run's
 * id, so ids of different runs don't collide.
 */
export function idOfCall(kind: 'thread' | 'comment' | 'highlight', callId: string): string {
  let hash = offset
  const text = `${kind} ${callId}`
  for (let unit = 0; unit < text.length; unit++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(unit))) * prime)
  }
  return kind.charAt(0) + hash.toString(36)
}
