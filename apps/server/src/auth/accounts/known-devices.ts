import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** Name of the cookie that marks a browser as having signed in to accounts before. */
export const DEVICE_COOKIE = 'copydesk_device'

const Device = z.object({ id: z.string(), accounts: z.array(z.string()) })
type Device = z.infer<typeof Device>

// The most recent accounts: a browser that many people share knows only some of their accounts.
const accountsPerDevice = 10

/**
 * Tracks which browsers have signed in to which accounts, only in a signed cookie. The cookie only gives password
 * attempts for these accounts a separate limit, apart from attempts by strangers. Accounts are identified by a keyed
 * hash of their address.
 */
export class KnownDevices {
  readonly #secret: string

  constructor(secret: string) {
    this.#secret = secret
  }

  /** The id of the device with this cookie, if it has signed in to the account with this address. */
  find(cookie: string | undefined, email: string): string | undefined {
    const device = this.#read(cookie)
    return device?.accounts.includes(this.#accountOf(email)) ? device.id : undefined
  }

  /** The new cookie value of a device that has just signed in to the account with this address. */
  note(cookie: string | undefined, email: string): string {
    const { id, accounts } = this.#read(cookie) ?? { id: randomBytes(16).toString('base64url'), accounts: [] }
    const account = this.#accountOf(email)
    const known = [account, ...accounts.filter((other) => other !== account)].slice(0, accountsPerDevice)
    const payload = Buffer.from(JSON.stringify({ id, accounts: known })).toString('base64url')
    return `${payload}.${this.#hash('cookie', payload)}`
  }

  #read(cookie: string | undefined): Device | undefined {
    const [payload = '', signature = ''] = cookie?.split('.') ?? []
    const expected = Buffer.from(this.#hash('cookie', payload))
    const given = Buffer.from(signature)
    if (given.byteLength !== expected.byteLength || !timingSafeEqual(given, expected)) return undefined
    return Device.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  }

  #accountOf(email: string): string {
    return this.#hash('account', email).slice(0, 22)
  }

  #hash(what: 'cookie' | 'account', text: string): string {
    return createHmac('sha256', this.#secret).update(`device ${what} ${text}`).digest('base64url')
  }
}
