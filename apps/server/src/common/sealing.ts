import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16
const form = 'v1.'

/** Encrypts stored values that only this server may read. `place` names the row and column of the value. */
export type Sealing = {
  seal(text: string, place: string): string
  /** Returns the text; undefined if it was sealed with another secret or for another place, or was changed. */
  open(sealed: string, place: string): string | undefined
}

/**
 * Sealing by AES-256-GCM with a key that is derived from the server's secret (HKDF-SHA256) for one `purpose`. The place
 * is authenticated with the text: a sealed text that was copied to another place can't be opened.
 */
export function createSealing(secret: string, purpose: string): Sealing {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `copydesk sealing ${purpose}`, 32))
  return {
    seal(text, place) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength }).setAAD(Buffer.from(place))
      const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return form + Buffer.concat(sealed).toString('base64url')
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed.slice(form.length), 'base64url')
      if (!sealed.startsWith(form) || bytes.length < nonceLength + tagLength) return undefined
      const nonce = bytes.subarray(0, nonceLength)
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength })
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagLength))
      try {
        return decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return undefined
      }
    },
  }
}
