import crypto, { type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

type Scrypt = (...given: [...Parameters<typeof crypto.scrypt>]) => void

/**
 * In each worker hashing a password costs a sixteenth of what it costs in a server, since tests sign people in
 * thousands of times. Everything else about passwords is as delivered; servers that tests start as processes pay in
 * full.
 */
const cheapest: ScryptOptions = { N: 1024 }
const mark = Symbol.for('copydesk.cheap-passwords')

if (!(mark in crypto.scrypt)) {
  const full: Scrypt = crypto.scrypt
  const cheap: Scrypt = (password, salt, length, options, done) =>
    full(password, salt, length, { ...options, ...cheapest }, done)
  crypto.scrypt = Object.assign(cheap, { [mark]: true }) as unknown as typeof crypto.scrypt
  syncBuiltinESMExports()
}
