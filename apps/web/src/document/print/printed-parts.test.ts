import { parseMarkdown } from '@copydesk/schema/markdown'
import { expect, test } from 'vitest'
import { readAddresses } from './printed-parts.ts'

function addressesIn(markdown: string): string[] {
  const doc = parseMarkdown(markdown).doc
  return readAddresses(doc).map(({ at, address }) => `${doc.textBetween(0, at, ' ')} → ${address}`)
}

test('[PRINT-3] an address is printed once behind its whole link, unless the link says it', () => {
  expect(addressesIn('[a **bold** link](https://a.example/x) and [b](https://b.example/)')).toEqual([
    'a bold link → https://a.example/x',
    'a bold link and b → https://b.example/',
  ])
  const said = '<https://a.example/> [a.example](https://a.example) [write](mailto:a@a.example) <a@a.example>'
  expect(addressesIn(said)).toEqual(['https://a.example/ a.example write → mailto:a@a.example'])
  expect(addressesIn('[below](#part)')).toEqual([])
})
