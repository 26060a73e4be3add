import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNamedAddresses } from './named-addresses.ts'

const names = (text: string, address: string): boolean => createNamedAddresses(text)(address)

describe('[INJ-5] what is written out in the text is named', () => {
  test.each([
    ['Take https://example.org/a.png', 'https://example.org/a.png'],
    ['Take https://example.org/a.png.', 'https://example.org/a.png'],
    ['Take (https://example.org/a.png), please', 'https://example.org/a.png'],
    ['Take "https://example.org/a.png"!', 'https://example.org/a.png'],
    ['Take <https://example.org/a.png>', 'https://example.org/a.png'],
    ['Take “https://example.org/a.png”', 'https://example.org/a.png'],
    ['Take ![a cat](https://example.org/a.png).', 'https://example.org/a.png'],
    ['Take `https://example.org/a.png`', 'https://example.org/a.png'],
    ['Take **https://example.org/a.png**', 'https://example.org/a.png'],
    ['https://example.org/a.png\nand so on', 'https://example.org/a.png'],
    ['https://en.wikipedia.org/wiki/Cat_(animal)', 'https://en.wikipedia.org/wiki/Cat_(animal)'],
    ['(https://en.wikipedia.org/wiki/Cat_(animal))', 'https://en.wikipedia.org/wiki/Cat_(animal)'],
    ['https://example.org', 'https://example.org/'],
    ['https://example.org/', 'https://example.org'],
    ['HTTPS://Example.ORG/a', 'https://example.org/a'],
    ['https://example.org:443/a', 'https://example.org/a'],
    ['http://example.org:8080/a', 'http://EXAMPLE.org:8080/a'],
    ['https://example.org/a#part', 'https://example.org/a'],
    ['https://example.org/a', 'https://example.org/a#part'],
    ['https://example.org/a?b=c&d=e', 'https://example.org/a?b=c&d=e'],
    ['https://bücher.example/a', 'https://xn--bcher-kva.example/a'],
    ['https://example。org/a', 'https://example.org/a'],
    ['https://example.org/ä b', 'https://example.org/%C3%A4'],
    ['http://0x7f.1/a', 'http://127.0.0.1/a'],
    ['https://example.org/b/../a', 'https://example.org/a'],
    ['https://example.org\\a', 'https://example.org/a'],
  ])('%j names %j', (text, address) => {
    expect(names(text, address)).toBe(true)
  })
})

describe('[INJ-5] what only looks like it is not', () => {
  test.each([
    // A prefix of the named address, and an extension of it.
    ['https://docs.company.com', 'https://docs.co'],
    ['https://docs.company.com', 'https://docs.co/mpany.com'],
    ['https://docs.co', 'https://docs.company.com'],
    ['https://example.org/reports', 'https://example.org/'],
    ['https://example.org/reports', 'https://example.org/report'],
    ['https://example.org/', 'https://example.org/reports'],
    ['https://example.org/a', 'https://example.org/a/'],
    ['https://example.org/a', 'https://example.org/a?text=secret'],
    ['https://example.org/a?x=1', 'https://example.org/a'],
    ['https://example.org/a?x=1', 'https://example.org/a?x=12'],
    // Other hosts.
    ['https://good.com', 'https://good.com.evil.com/'],
    ['https://good.evil.com', 'https://evil.com/'],
    ['https://evil.com/good.com', 'https://good.com/'],
    ['https://good.com/', 'https://evil.com/https://good.com/'],
    ['https://evil.com/?u=https://good.com/', 'https://good.com/'],
    ['https://good.com/', 'https://evil.com/?https://good.com/'],
    ['https://good.com/', 'https://evil.com/#https://good.com/'],
    ['https://example.org/', 'https://exаmple.org/'],
    ['https://exаmple.org/', 'https://example.org/'],
    ['https://example.org/', 'https://example.org./'],
    ['https://example.org/', 'https://www.example.org/'],
    ['https://example.org/', 'https://example.org:8443/'],
    ['https://example.org:8443/', 'https://example.org/'],
    ['https://example.org/', 'https://example.org%2eevil.com/'],
    ['http://127.0.0.1/', 'http://127.0.0.11/'],
    ['http://127.0.0.11/', 'http://127.0.0.1/'],
    ['http://[::1]/', 'http://[::11]/'],
    // Other paths, to a server.
    ['https://example.org/a', 'https://example.org/A'],
    ['https://example.org/a', 'https://example.org/%61'],
    ['https://example.org/a/b', 'https://example.org/a%2fb'],
    ['https://example.org/a', 'https://example.org//a'],
    ['https://example.org/a', 'https://example.org/b/../a?'],
    // User names and passwords.
    ['https://good@evil.com/', 'https://evil.com/'],
    ['https://good@evil.com/', 'https://good@evil.com/'],
    ['https://good.com/', 'https://good.com@evil.com/'],
    ['https://good.com/', 'https://user:secret@good.com/'],
    ['https://@good.com/', 'https://good.com/'],
    ['https://good.com/', 'https://@good.com/'],
    ['https://good.com\\@evil.com/', 'https://evil.com/'],
    // Other schemes, and no scheme.
    ['http://example.org/', 'https://example.org/'],
    ['https://example.org/', 'http://example.org/'],
    ['https://example.org/', 'ftp://example.org/'],
    ['https://example.org/', '//example.org/'],
    ['//example.org/', '//example.org/'],
    ['https://example.org/', '\\\\example.org\\'],
    ['https://example.org/', 'https:/example.org/'],
    ['https://example.org/', 'https:example.org/'],
    ['https:example.org/', 'https://example.org/'],
    ['https://example.org/', 'javascript:https://example.org/'],
    ['xhttps://example.org/', 'https://example.org/'],
    ['view-source+https://example.org/', 'https://example.org/'],
    ['example.org', 'https://example.org/'],
    ['example.org/a.png', 'https://example.org/a.png'],
    ['www.example.org', 'https://www.example.org/'],
    ['ana@example.org', 'https://example.org/'],
    ['README.md', 'https://readme.md/'],
    ['https://', 'https://'],
    ['', ''],
    ['https://example.org/', ''],
  ])('%j does not name %j', (text, address) => {
    expect(names(text, address)).toBe(false)
  })
})

const host = fc.domain()
const path = fc.array(fc.stringMatching(/^[a-z0-9_-]{1,8}$/), { maxLength: 3 }).map((parts) => `/${parts.join('/')}`)
const address = fc.tuple(host, path).map(([name, rest]) => `https://${name}${rest}`)

test('[INJ-5] a text names the addresses that it was made of, and none that differs in a single character', () => {
  fc.assert(
    fc.property(fc.array(address, { minLength: 1, maxLength: 4 }), fc.nat(), fc.nat(), (addresses, at, of) => {
      const isNamed = createNamedAddresses(`Look at ${addresses.join(', and at ')}.`)
      for (const each of addresses) expect(isNamed(each)).toBe(true)
      const chosen = addresses[of % addresses.length] ?? ''
      const cut = 'https://'.length + (at % (chosen.length - 'https://'.length))
      const forged = [chosen.slice(0, cut), `${chosen.slice(0, cut)}x${chosen.slice(cut)}`, `${chosen}x`, `${chosen}?`]
      const hrefs = new Set(addresses.map((each) => new URL(each).href))
      for (const each of forged) {
        const isSame = URL.canParse(each) && hrefs.has(new URL(each).href)
        expect(isNamed(each), each).toBe(isSame)
      }
    }),
  )
})

test('[INJ-5] whatever the text says, what is named has its host and path written there', () => {
  const pieces = fc.constantFrom(
    'https://',
    'HTTP://',
    'a.example',
    'b.example',
    '/',
    '@',
    ':',
    '\\\\',
    '.',
    ' ',
    '?',
    '#',
    '(',
    ')',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      const isNamed = createNamedAddresses(text)(`https://a.example/`)
      // The address is then in the text, from its scheme to the end of its host.
      const isThere = /https:[\\/]{2,}a\.example(?![\w@])/i.test(text)
      expect(isNamed && !isThere, text).toBe(false)
    }),
  )
})

test('[INJ-5] a long text of nothing but addresses or brackets is read in no time', () => {
  for (const piece of ['https://a.example/', 'https://(((', 'https://a.example/).,;:!?']) {
    expect(createNamedAddresses(piece.repeat(20_000 / piece.length))('https://b.example/')).toBe(false)
  }
})
