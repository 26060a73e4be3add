import { expect, test } from 'vitest'
import { captionHtml, captionLink, readCaption } from './caption.ts'

const credit = 'Photo: [Ada](https://unsplash.example/@ada), [Unsplash](https://unsplash.com/)'

test('[IMG-15] links in a caption are written as in markdown, and bare addresses are links', () => {
  expect(readCaption(`Ours – ${credit}`)).toEqual([
    { text: 'Ours – Photo: ' },
    { text: 'Ada', href: 'https://unsplash.example/@ada' },
    { text: ', ' },
    { text: 'Unsplash', href: 'https://unsplash.com/' },
  ])
  expect(readCaption('See (https://a.example/b?c=d), or ask.')).toEqual([
    { text: 'See (' },
    { text: 'https://a.example/b?c=d', href: 'https://a.example/b?c=d' },
    { text: '), or ask.' },
  ])
  for (const text of ['', 'A cat', '[a](javascript:alert(1))', '[x] (y)', '[](https://)']) {
    expect(readCaption(text).filter(({ href }) => href !== undefined)).toEqual([])
    expect(
      readCaption(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
  }
})

test('[IMG-15] whatever a name and an address hold, the link is one link, and the HTML is harmless', () => {
  const written = captionLink('A [da]\n"x"', 'https://a.example/(b)?c="d"&e')
  expect(readCaption(written)).toEqual([{ text: 'A da "x"', href: 'https://a.example/%28b%29?c=%22d%22&e' }])
  for (const href of ['javascript:alert(1)', 'data:text/html,x', '/b', '']) expect(captionLink('Ada', href)).toBe('Ada')
  expect(captionHtml('<b>[<i>](https://a.example/&quot;)')).toBe(
    '&lt;b&gt;<a href="https://a.example/&amp;quot;">&lt;i&gt;</a>',
  )
})
