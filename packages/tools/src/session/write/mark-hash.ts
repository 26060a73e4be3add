import * as buffer from 'lib0/buffer'
import * as sha256 from 'lib0/hash/sha256'

const length = 6

/**
 * The hash under which y-prosemirror stores a mark that may overlap with its own kind: SHA-256 over lib0's encoding,
 * folded to six bytes, in base64. The library doesn't export it; a test compares the two.
 */
export function hashOfJson(json: unknown): string {
  const digest = sha256.digest(buffer.encodeAny(json))
  for (let index = length; index < digest.length; index++) {
    digest[index % length] = (digest[index % length] ?? 0) ^ (digest[index] ?? 0)
  }
  return buffer.toBase64(digest.slice(0, length))
}
