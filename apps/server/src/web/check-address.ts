import ipaddr from 'ipaddr.js'
import { RequestError } from '../common/errors.ts'
import { isPublicAddress } from './guarded-fetch.ts'

/**
 * Checks an address that an operator configures for calls by this server: `https` without credentials, and no literal
 * address of a private network, unless its host is one of `allowedHosts`.
 * @throws RequestError `invalid_input`.
 */
export function checkAddress(given: string, allowedHosts: readonly string[]): void {
  const { protocol, hostname, username, password } = new URL(given)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (username !== '' || password !== '') throw badAddress('The address has a name or password, which is not sent.')
  if (allowedHosts.includes(host)) return
  if (protocol !== 'https:') throw badAddress('The address has to begin with https://.')
  if (ipaddr.isValid(host) && !isPublicAddress(host)) throw badAddress('The address is not on the public internet.')
}

function badAddress(message: string): RequestError {
  const hint = 'Give an https address, or set ALLOW_PRIVATE_HOSTS to the host of a service of your own.'
  return new RequestError('invalid_input', message, hint)
}
